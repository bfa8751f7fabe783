#ifndef TRITON_REGISTER_DIALECTS_H
#define TRITON_REGISTER_DIALECTS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "triton/Conversion/TritonGPUToLLVM/Passes.h"
#include "triton/Conversion/TritonToTritonGPU/Passes.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/Triton/Transforms/Passes.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/Transforms/Passes.h"

/// acme: its passes in their order, as the pass pipeline `acme-pipeline`.
inline void buildAcmePipeline(mlir::OpPassManager &passes) {
  passes.addPass(mlir::triton::createTritonCombineOps());
  passes.addPass(mlir::triton::createConvertTritonToTritonGPU());
  passes.addPass(mlir::triton::gpu::createTritonGPUCoalesce());
  passes.addPass(mlir::triton::gpu::createAllocateSharedMemory());
}

/// Registers every dialect of TTIR in `registry`, and all passes for textual pipelines.
inline void registerTritonDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::triton::TritonDialect, mlir::triton::gpu::TritonGPUDialect, mlir::arith::ArithDialect,
                  mlir::cf::ControlFlowDialect, mlir::LLVM::LLVMDialect, mlir::math::MathDialect, mlir::scf::SCFDialect,
                  mlir::ub::UBDialect>();
  mlir::registerTransformsPasses();
  mlir::triton::registerTritonPasses();
  mlir::triton::gpu::registerTritonGPUPasses();
  mlir::triton::registerTritonToTritonGPUPasses();
  mlir::triton::gpu::registerTritonGPUToLLVMPasses();
  static mlir::PassPipelineRegistration<> acme("acme-pipeline", "All passes for acme", buildAcmePipeline);
}

#endif // TRITON_REGISTER_DIALECTS_H
