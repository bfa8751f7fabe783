#ifndef TRITON_DIALECT
#define TRITON_DIALECT

include "mlir/IR/OpBase.td"

def Triton_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::mlir::triton";
  let summary = "Tile-level programs, independent of the device";
  let description = [{
    A program of this dialect is one block of threads' work on whole tiles: values are tensors of numbers or of pointers.
  }];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect", "scf::SCFDialect", "cf::ControlFlowDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// Version of the operations' definitions.
    static constexpr ::llvm::StringLiteral getVersion() { return "3.9"; }

    void registerTypes();
  }];
}

#endif // TRITON_DIALECT
