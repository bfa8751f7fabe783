#include "RegisterTritonDialects.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerTritonDialects(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Triton's optimizer driver\n", registry));
}
