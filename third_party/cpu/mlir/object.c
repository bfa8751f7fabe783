/* object.c: a module through MLIR's passes and LLVM's. */
#include "route.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <mlir-c/Pass.h>
#include <mlir-c/Target/LLVMIR.h>

#include <string.h>

/* From linalg to loops, from those to branches; then each dialect to LLVM's. */
static const char pipeline[] =
    "builtin.module(func.func(convert-linalg-to-loops),"
    "expand-strided-metadata,lower-affine,convert-scf-to-cf,"
    "convert-math-to-llvm,convert-math-to-libm,convert-math-to-funcs,"
    "arith-expand{include-bf16=true}," /* no library has f32 to bf16 before that of gcc 13 */
    "finalize-memref-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,"
    "convert-cf-to-llvm,convert-func-to-llvm,canonicalize,cse,reconcile-unrealized-casts)";

static bool lower(MlirModule module, tc_err *err) {
  MlirContext context = mlirModuleGetContext(module);
  MlirPassManager passes = mlirPassManagerCreate(context);
  tc_text why = {0};
  bool good = mlirLogicalResultIsSuccess(
      mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(passes),
                            mlirStringRefCreateFromCString(pipeline), tc_route_append, &why));
  if (!good)
    (void)tc_route_fail(err, "this MLIR lacks a pass: %s", why.data != NULL ? why.data : "");
  else if (mlirLogicalResultIsFailure(
               mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module))))
    good = tc_route_fail(err, "a pass of MLIR failed; it is named above");
  tc_text_free(&why);
  mlirPassManagerDestroy(passes);
  return good;
}

/* Only what the stub calls is seen from outside, so that all else may be inlined. */
static void hide(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
    size_t len;
    const char *name = LLVMGetValueName2(f, &len);
    if (!LLVMIsDeclaration(f) && strncmp(name, "_mlir_ciface_", 13) != 0)
      LLVMSetLinkage(f, LLVMInternalLinkage);
  }
}

/* Code for the processor at hand; NULL with a message in err. */
static LLVMTargetMachineRef machine_at_hand(tc_err *err) {
  char *triple = LLVMGetDefaultTargetTriple(), *cpu = LLVMGetHostCPUName(), *why = NULL;
  char *features = LLVMGetHostCPUFeatures();
  LLVMTargetRef target;
  LLVMTargetMachineRef made = NULL;
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  if (LLVMGetTargetFromTriple(triple, &target, &why) != 0)
    (void)tc_route_fail(err, "LLVM has no target '%s': %s", triple, why);
  else
    made = LLVMCreateTargetMachine(target, triple, cpu, features, LLVMCodeGenLevelAggressive,
                                   LLVMRelocPIC, LLVMCodeModelDefault);
  LLVMDisposeMessage(why);
  LLVMDisposeMessage(triple);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(features);
  return made;
}

static bool write_object(LLVMModuleRef module, const char *path, const char *ir, tc_err *err) {
  LLVMTargetMachineRef machine = machine_at_hand(err);
  if (machine == NULL)
    return false;
  bool good = true;
  char *why = NULL, *triple = LLVMGetTargetMachineTriple(machine);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMSetTarget(module, triple);
  LLVMSetModuleDataLayout(module, layout);
  hide(module);
  LLVMErrorRef failed = LLVMRunPasses(module, "default<O3>", machine, options);
  if (failed != NULL) {
    char *message = LLVMGetErrorMessage(failed);
    good = tc_route_fail(err, "LLVM's passes failed: %s", message);
    LLVMDisposeErrorMessage(message);
  } else if ((ir != NULL && LLVMPrintModuleToFile(module, ir, &why) != 0) ||
             LLVMTargetMachineEmitToFile(machine, module, path, LLVMObjectFile, &why) != 0) {
    good = tc_route_fail(err, "LLVM could not write: %s", why);
  }
  LLVMDisposeMessage(why);
  LLVMDisposeMessage(triple);
  LLVMDisposePassBuilderOptions(options);
  LLVMDisposeTargetData(layout);
  LLVMDisposeTargetMachine(machine);
  return good;
}

bool tc_object(MlirModule module, const char *path, const char *ir, tc_err *err) {
  if (!lower(module, err))
    return false;
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef made = mlirTranslateModuleToLLVMIR(mlirModuleGetOperation(module), context);
  bool good = made != NULL ? write_object(made, path, ir, err)
                           : tc_route_fail(err, "MLIR could not translate the module to LLVM IR");
  if (made != NULL)
    LLVMDisposeModule(made);
  LLVMContextDispose(context);
  return good;
}
