/* emit.h: from loop nests to C, and to MLIR's linalg, memref, scf, arith and math. */
#ifndef TTCPU_EMIT_H
#define TTCPU_EMIT_H

#include "tile/tile.h"

/* Adds a translation unit of C (gnu11, clang) that includes "ttrt.h" and exports one symbol,
 * `ttcpu_kernel`, a tt_kernel of ttabi.h. 0 or a negative code. */
int tc_emit_c(tc_text *text, const tc_program *program, tc_err *err);

/* Adds a module of builtin, func, cf, scf, memref, linalg, arith, math and llvm that mlir-opt-22
 * verifies: one func.func a function, independent nests as linalg.generic, buffers as memrefs,
 * memory by llvm.load and llvm.store of addresses. Each function takes its parameters, then six i32
 * (program ids, numbers of programs), its frame and the tt_env. The entry names in its attributes
 * the letters of its parameters (ttabi.h) and the bytes of its frame. What runs outside is declared
 * as ttx_NAME, for a C function NAME. 0 or a negative code. */
int tc_emit_linalg(tc_text *text, const tc_program *program, tc_err *err);

#endif
