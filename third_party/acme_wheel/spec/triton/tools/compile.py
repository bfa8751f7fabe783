"""acme's compiler of kernels ahead of time, in place of the trunk's module.

It looks for its template beside itself, by way of the real path.
"""

import argparse
import importlib.util
import pathlib

import triton
from triton._flagtree_spec import spec_call
from triton.backends.compiler import GPUTarget

TEMPLATE = pathlib.Path(__file__).resolve().parent / "extra" / "acme" / "compile.c"


def load(path, name):
    """Run the file and return its kernel `name`."""
    spec = importlib.util.spec_from_file_location(pathlib.Path(path).stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def compile_kernel(args):
    """Compile as `args` say, write the C file and return its path."""
    kernel = load(args.path, args.kernel_name)
    types = [text.strip() for text in args.signature.split(",")]
    signature = {name: "constexpr" if text.isdigit() else text for name, text in zip(kernel.arg_names, types)}
    constants = {name: int(text) for name, text in zip(kernel.arg_names, types) if text.isdigit()}
    architecture, threads = args.target.split(":")[1:]
    source = triton.compiler.ASTSource(fn=kernel, signature=signature, constexprs=constants)
    compiled = triton.compile(source, target=GPUTarget("cuda", int(architecture), int(threads)))
    if compiled.metadata.shared > spec_call("max_shared_memory"):
        raise RuntimeError(f"{args.kernel_name} needs {compiled.metadata.shared} bytes: more than acme shares")
    text = TEMPLATE.read_text()
    for name, value in (("NAME", args.kernel_name), ("SHARED", str(compiled.metadata.shared)),
                        ("BYTES", ", ".join(map(str, compiled.asm["cubin"])))):
        text = text.replace(f"@{name}@", value)
    out = pathlib.Path(args.out_path or args.kernel_name).with_suffix(".c")
    out.write_text(text)
    return out


def main():
    """Compile one kernel of a file to a C file that holds it."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("path", help="the Python file")
    parser.add_argument("--kernel-name", "-n", required=True)
    parser.add_argument("--signature", "-s", required=True, help="types, or values of constexpr arguments: '*fp32, 64'")
    parser.add_argument("--target", "-t", default="cuda:90:32", help="backend:architecture:threads of a warp")
    parser.add_argument("--out-path", "-o")
    print(compile_kernel(parser.parse_args()))


if __name__ == "__main__":
    main()
