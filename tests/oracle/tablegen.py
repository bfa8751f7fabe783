"""TableGen in a case: .td files with includes, and rules of a function in the shape of LLVM's."""

# As LLVM's own: the definitions, the tool and the dependencies come from variables, the search begins
# in the current source folder.  A rule names no depfile: upstream's have none either.
_RULES = """\
set(MLIR_TABLEGEN_EXE {tool})
function(toy_tablegen out)
  if(IS_ABSOLUTE "${{LLVM_TARGET_DEFINITIONS}}")
    set(input "${{LLVM_TARGET_DEFINITIONS}}")
  else()
    set(input "${{CMAKE_CURRENT_SOURCE_DIR}}/${{LLVM_TARGET_DEFINITIONS}}")
  endif()
  add_custom_command(OUTPUT "${{CMAKE_CURRENT_BINARY_DIR}}/${{out}}"
    COMMAND ${{MLIR_TABLEGEN_EXE}} -print-records -I "${{CMAKE_CURRENT_SOURCE_DIR}}"
      -I "${{PROJECT_SOURCE_DIR}}/include" "${{input}}" -o "${{CMAKE_CURRENT_BINARY_DIR}}/${{out}}"
    DEPENDS ${{MLIR_TABLEGEN_EXE}} ${{LLVM_TARGET_DEPENDS}} "${{input}}")
endfunction()
{rules}
add_custom_target(tds ALL DEPENDS {outputs})
"""
_FILES = ["include/td/Top.td", "include/td/Other.td", "include/td/Types.td", "include/td/Base.td",
          "include/Shared.td"]
TOOL = "/usr/lib/llvm-22/bin/mlir-tblgen"


def _text(world, path, layer, below):
    """Each file includes later ones only, so nothing comes round."""
    number = world.number(path)
    lines = []
    for name in below:
        if world.chance(0.5):
            short = name.removeprefix("include/")
            bare = short.removeprefix("td/")
            lines.append(f'include "{world.random.choice([short, short, bare])}"')
    guard = f"TD_{number}"
    return "\n".join([f"#ifndef {guard}", f"#define {guard}", *lines,
                      f'def R{number} {{ string name = "{layer}"; }}', "#endif"]) + "\n"


def add(world, trunk):
    """Adds the folder include/td to a trunk; the overlay's files as {(layer, path): text}."""
    for index, path in enumerate(_FILES):
        trunk[f"trunk/{path}"] = _text(world, path, "trunk", _FILES[index + 1:])
    outputs = ["Top.inc", "Other.inc"]
    rules = "\n".join(f"set(LLVM_TARGET_DEFINITIONS {name})\ntoy_tablegen({out})"
                      for name, out in zip(["Top.td", "Other.td"], outputs))
    trunk["trunk/include/td/CMakeLists.txt"] = _RULES.format(tool=TOOL, rules=rules, outputs=" ".join(outputs))
    trunk["trunk/CMakeLists.txt"] += "add_subdirectory(include/td)\n"
    overlay = {}
    for index, path in enumerate(_FILES):
        if world.chance(0.4):
            layer = world.random.choice(world.layers)
            overlay[layer, f"spec_cpp/{path}"] = _text(world, path, layer, _FILES[index + 1:])
    return overlay
