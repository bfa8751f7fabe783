#include "triton/Tools/Checksum.h"
#include "triton/Tools/Info.h"
#include "triton/Tools/LinearLayout.h"
#include "triton/Tools/Targets.h"
#include <triton/Tools/Sys/GetEnv.hpp>

#include <dlfcn.h>
#include <iostream>

using namespace triton;

static void print(const std::string &name, const std::string &value) { std::cout << name << " = " << value << "\n"; }

/// Loads a module library and prints its name; returns the exit status.
static int printPlugin(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  auto getName = library ? reinterpret_cast<const char *(*)()>(dlsym(library, "tritonGetPluginName")) : nullptr;
  if (!getName) {
    std::cerr << "triton-info: cannot load '" << path << "': " << dlerror() << "\n";
    return 2;
  }
  print("plugin", getName());
  return 0;
}

static void printTools() {
  std::vector<std::string> targets;
  for (const TargetDescription &target : getTargets())
    targets.push_back(target.name + ":" + std::to_string(target.warpSize));
  print("targets", join(targets, ","));
  print("default-target", getDefaultTarget());
  print("stages", join(getStages(), ","));
  print("checksum", std::to_string(triton_checksum("triton", 6)));
  print("layout-max-bits", std::to_string(LinearLayout::maxBits()));
  print("layout-rank", std::to_string(LinearLayout({1, 2, 3}).rank()));
  print("swizzle-banks", std::to_string(getSwizzleBanks()));
  print("swizzled-element", std::to_string(swizzle(3, 5).apply(32)));
  print("debug", tools::getBoolEnv("TRITON_DEBUG") ? "on" : "off");
}

/// Prints what each of the small libraries says, as `name = value`. With a path, loads that module library too.
int main(int argc, char **argv) {
  if (argc > 2) {
    std::cerr << "usage: triton-info [module library]\n";
    return 2;
  }
  print("version", getVersion());
  print("flavour", getFlavour());
  print("build", getBuildInfo());
  printTools();
  return argc == 2 ? printPlugin(argv[1]) : 0;
}
