#ifndef TRITON_PYTHON_IR_H
#define TRITON_PYTHON_IR_H

#include <memory>
#include <string>

#include <pybind11/pybind11.h>

/// acme: version 2, since `passes.acme` came. Every source of the module reports the one that it was compiled with.
inline constexpr int kBindingsVersion = 2;

/// The passes to run, as a textual pipeline. Holds no MLIR type, so that whoever adds passes needs no MLIR header.
class PassPipeline {
public:
  /// Adds a pass by its name on the command line, with `options` in braces if it has any.
  void add(const std::string &pass, const std::string &options = "") {
    text += (text.empty() ? "" : ",") + pass + (options.empty() ? "" : "{" + options + "}");
  }

  const std::string &str() const { return text; }

private:
  std::string text;
};

void initTritonIr(pybind11::module_ m);
void initTritonPasses(pybind11::module_ m);

#endif // TRITON_PYTHON_IR_H
