#include "triton/Dialect/TritonGPU/Transforms/AcmeStamp.h"

#include "acme/Chip.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "triton/Tools/Checksum.h"

// A source that the trunk lacks. spec.cmake gives it its target, and that target the definition ACME_REVISION, the
// folder of Chip.h and the library of the checksum.

namespace mlir::triton::gpu {

void stampModule(ModuleOp module) {
  std::string names;
  for (Operation &op : module.getOps())
    if (auto name = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      names += name.getValue();
  Builder builder(module.getContext());
  module->setAttr("acme.chip", builder.getStringAttr(acme::kChipName));
  module->setAttr("acme.revision", builder.getI32IntegerAttr(ACME_REVISION));
  module->setAttr("acme.checksum", builder.getI64IntegerAttr(triton_checksum(names.data(), names.size())));
}

} // namespace mlir::triton::gpu
