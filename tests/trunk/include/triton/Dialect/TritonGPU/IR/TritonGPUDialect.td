#ifndef TRITONGPU_DIALECT
#define TRITONGPU_DIALECT

include "mlir/IR/OpBase.td"

def TritonGPU_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::mlir::triton::gpu";
  let summary = "Programs whose tiles are distributed over threads";
  let dependentDialects = ["triton::TritonDialect"];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Version of the operations' definitions.
    static constexpr ::llvm::StringLiteral getVersion() { return "3.9"; }

    /// Names of the attributes that passes attach.
    static constexpr ::llvm::StringLiteral kNumWarps = "ttg.num-warps";
    static constexpr ::llvm::StringLiteral kThreadsPerWarp = "ttg.threads-per-warp";
    static constexpr ::llvm::StringLiteral kLayout = "ttg.layout";
  }];
}

#endif // TRITONGPU_DIALECT
