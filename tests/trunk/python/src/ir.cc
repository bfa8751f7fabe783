#include "ir.h"

#include "bin/RegisterTritonDialects.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <stdexcept>

namespace py = pybind11;
using namespace mlir;

namespace {

/// A context in which every dialect of TTIR is registered.
struct Context {
  Context() {
    DialectRegistry registry;
    registerTritonDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  MLIRContext context;
};

struct Module {
  std::shared_ptr<Context> owner; // outlives the operation
  OwningOpRef<ModuleOp> op;
};

/// Collects the diagnostics of a scope, one a line, to make an exception's text of them.
class Diagnostics {
public:
  explicit Diagnostics(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          llvm::raw_string_ostream(text) << diagnostic.getLocation() << ": " << diagnostic << "\n";
          return success();
        }) {}

  [[noreturn]] void raise(const std::string &what) const { throw std::runtime_error(what + ":\n" + text); }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};

} // namespace

static std::unique_ptr<Module> parseModule(const std::string &text, const std::shared_ptr<Context> &context) {
  Diagnostics diagnostics(&context->context);
  auto op = parseSourceString<ModuleOp>(text, &context->context, "<string>");
  if (!op)
    diagnostics.raise("cannot parse the module");
  return std::make_unique<Module>(Module{context, std::move(op)});
}

static std::string printModule(Module &module, bool generic) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags;
  module.op.get()->print(stream, generic ? flags.printGenericOpForm() : flags);
  return text;
}

/// Text of an attribute of the module, or None.
static py::object getModuleAttribute(Module &module, const std::string &name) {
  Attribute attribute = module.op.get()->getAttr(name);
  if (!attribute)
    return py::none();
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return py::str(text);
}

static void runPipeline(const std::string &pipeline, Module &module) {
  Diagnostics diagnostics(&module.owner->context);
  PassManager manager(&module.owner->context);
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (failed(parsePassPipeline(pipeline, manager, stream)))
    throw std::invalid_argument("bad pass pipeline '" + pipeline + "': " + message);
  if (failed(manager.run(module.op.get())))
    diagnostics.raise("the passes '" + pipeline + "' failed");
}

static void initClasses(py::module_ &m) {
  py::class_<Context, std::shared_ptr<Context>>(m, "context", py::module_local()).def(py::init<>());

  py::class_<Module>(m, "module", py::module_local())
      .def("__str__", [](Module &module) { return printModule(module, /*generic=*/false); })
      .def("str_generic", [](Module &module) { return printModule(module, /*generic=*/true); })
      .def("get_attr", getModuleAttribute, py::arg("name"))
      .def("verify", [](Module &module) { return succeeded(verify(module.op.get())); })
      .def_property_readonly("context", [](Module &module) { return module.owner; });

  py::class_<PassPipeline>(m, "pass_manager", py::module_local())
      .def(py::init<>())
      .def("__str__", &PassPipeline::str)
      .def(
          "run", [](PassPipeline &pipeline, Module &module) { runPipeline(pipeline.str(), module); },
          py::arg("module"));
}

void initTritonIr(py::module_ m) {
  m.attr("bindings_version") = kBindingsVersion;
  initClasses(m);
  m.def("parse_mlir_module", parseModule, py::arg("text"), py::arg("context"),
        "Parse a module's text, in the pretty or the generic form; raises RuntimeError.");
  m.def("run_pass_pipeline", runPipeline, py::arg("pipeline"), py::arg("module"),
        "Run the passes of a textual pipeline in place; raises ValueError or RuntimeError.");
  m.def("dialect_versions", [] {
    py::dict versions;
    versions["tt"] = triton::TritonDialect::getVersion().str();
    versions["ttg"] = triton::gpu::TritonGPUDialect::getVersion().str();
    return versions;
  });
}
