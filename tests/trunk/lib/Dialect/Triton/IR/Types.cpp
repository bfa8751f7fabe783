#include "triton/Dialect/Triton/IR/Types.h"

#include "mlir/IR/DialectImplementation.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"

#define GET_TYPEDEF_CLASSES
#include "triton/Dialect/Triton/IR/Types.cpp.inc"

namespace mlir::triton {

void TritonDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "triton/Dialect/Triton/IR/Types.cpp.inc"
      >();
}

/// `<` pointee (`,` address space)? `>`
Type PointerType::parse(AsmParser &parser) {
  Type pointee;
  int addressSpace = kGlobalAddressSpace;
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseType(pointee))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseInteger(addressSpace))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<PointerType>(start, parser.getContext(), pointee, addressSpace);
}

void PointerType::print(AsmPrinter &printer) const {
  printer << "<" << getPointeeType();
  if (getAddressSpace() != kGlobalAddressSpace)
    printer << ", " << getAddressSpace();
  printer << ">";
}

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee, int addressSpace) {
  if (addressSpace < 0)
    return emitError() << "the address space of a pointer must not be negative, but it is " << addressSpace;
  return success();
}

static Type withShapeOf(Type shaped, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(shaped))
    return tensor.clone(element);
  return element;
}

Type getPointeeType(Type type) {
  return withShapeOf(type, cast<PointerType>(getElementTypeOrSelf(type)).getPointeeType());
}

Type getI1SameShape(Type type) { return withShapeOf(type, IntegerType::get(type.getContext(), 1)); }

unsigned getElementBitWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<PointerType>(element) ? 64 : element.getIntOrFloatBitWidth();
}

} // namespace mlir::triton
