#ifndef TRITONGPU_TRANSFORMS_ACMESTAMP_H
#define TRITONGPU_TRANSFORMS_ACMESTAMP_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::triton::gpu {

/// Gives the module the attributes `acme.chip`, `acme.revision` and `acme.checksum`, that of its symbols' names.
void stampModule(ModuleOp module);

} // namespace mlir::triton::gpu

#endif // TRITONGPU_TRANSFORMS_ACMESTAMP_H
