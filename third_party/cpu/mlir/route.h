/* route.h: the parts of ttcpu-mlir. */
#ifndef TTCPU_ROUTE_H
#define TTCPU_ROUTE_H

#include "compiler/base.h"

#include <mlir-c/IR.h>

/* Adds the C text that makes a library of the module's object: the entry of ttabi.h, and a function
 * for each that the module declares. Call it before the module is lowered. False with a message in
 * err if the module has no entry, or a type that C cannot pass. */
bool tc_stub(tc_text *text, MlirModule module, tc_err *err);

/* Lowers the module to LLVM's dialect, and that to an object for this machine, at path. With ir,
 * the optimised LLVM IR is printed there as well. False with a message in err. */
bool tc_object(MlirModule module, const char *path, const char *ir, tc_err *err);

/* Says what is wrong; always false. */
bool tc_route_fail(tc_err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An MlirStringCallback that adds what MLIR prints to a tc_text. */
void tc_route_append(MlirStringRef part, void *text);

#endif
