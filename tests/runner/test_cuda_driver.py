"""Kernels of CUDA on a driver of the tests' own, which is no GPU: what it is asked for, and what it refuses."""

import json
import subprocess
import sys

from triton.backends.compiler import GPUTarget

from triton_spec.runner import save, seal

import runner_kernels as kernels

# Prints what is asked of it. Addresses below a mebibyte are its memory, in allocations of 64 KiB.
DRIVER = r"""
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static void *context;
int cuInit(unsigned flags) { return setvbuf(stdout, NULL, _IONBF, 0) != 0 || flags != 0; }
int cuGetErrorString(int code, const char **text) { *text = code == 1 ? "made up" : NULL; return 0; }
int cuCtxGetCurrent(void **out) { *out = context; return 0; }
int cuCtxSetCurrent(void *is) { context = is; return 0; }
int cuDevicePrimaryCtxRetain(void **out, int device) { *out = &context; puts("retain"); return device; }
int cuCtxGetDevice(int *out) { *out = 0; return context == &context ? 0 : 1; }
int cuDeviceGetAttribute(int *out, int which, int device) {
  *out = which == 75 ? 9 : which == 76 ? 0 : which == 97 ? 232448 : which;
  return device;
}
int cuModuleLoadData(void **out, const void *data) { *out = (void *)0x123456789abc; return memcmp(data, "\177ELF", 4) != 0; }
int cuModuleUnload(void *module) { printf("unload %p\n", module); return 0; }
int cuModuleGetFunction(void **out, void *module, const char *name) {
  printf("function %s of %p\n", name, module);
  *out = (void *)0xabcdef987654;
  return 0;
}
int cuFuncGetAttribute(int *out, int which, void *function) {
  *out = which == 0 ? 128 : which == 3 ? 8 : which == 4 ? 33 : -1;
  return function != (void *)0xabcdef987654;
}
int cuFuncSetAttribute(void *function, int which, int value) {
  printf("set %d to %d\n", which, value);
  return function != (void *)0xabcdef987654;
}
int cuCtxSynchronize(void) { return 0; }
int cuPointerGetAttribute(void *out, int which, uint64_t address) {
  printf("pointer %d %#llx\n", which, (unsigned long long)address);
  uint64_t found = which == 11 ? address & ~0xffffull : 0x10000;
  memcpy(out, &found, sizeof found);
  return address >= 1 << 20;
}
int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned tx, unsigned ty, unsigned tz, unsigned shared,
                   void *stream, void **params, void **extra) {
  printf("launch %p %u,%u,%u %u,%u,%u %u %p %s", function, x, y, z, tx, ty, tz, shared, stream, extra == NULL ? "" : "extra");
  for (int i = 0; i < 3; i++)
    printf(" %#llx", (unsigned long long)*(uint64_t *)params[i]);
  printf(" %d\n", *(int *)params[3]);
  return y == 7;
}
"""

USE = r"""
import sys
from triton_spec.runner import LaunchFailed, SignatureMismatch, load
from triton_spec.runner.device import cuda_device, cuda_synchronize

def refused(kind, call):
    try:
        call()
    except kind as error:
        print(error.what, flush=True)

kernel = load(sys.argv[1] + "/add.cubin")
kernel[(97,)](4096, 8192, 65536 + 32, 98432)
kernel[2, 3](4096, 8192, 65536 + 32, 98432, 1024)
print(kernel.registers, kernel.local_bytes, cuda_device(), flush=True)
kernel.bind((1, 1, 2), 77)(4096 + 4, 1 << 40, 0, 98431)
refused(SignatureMismatch, lambda: kernel[1](4096, 8192, 1 << 30, 98432))
refused(LaunchFailed, lambda: kernel[1, 7](4096, 8192, 65536 + 32, 98432))
cuda_synchronize()
matmul = load(sys.argv[1] + "/matmul.cubin")
try:
    matmul[1]
except Exception as error:
    print(type(error).__name__, error, flush=True)
del kernel
"""


def test_launches(kept, environment):
    """The calls in order: a context, a module, pointers that are looked up once, launches, their failure, the end."""
    for name in ("add", "matmul"):
        save(kernels.compiled(name, GPUTarget("cuda", 90, 32)), kept / "cuda")
    sidecar = kept / "cuda/matmul.run.json"
    fields = json.loads(sidecar.read_text())
    fields["launch"]["shared"] = 81920  # more than a kernel has without being asked for
    sidecar.write_text(json.dumps(fields))
    seal(sidecar)
    (kept / "driver.c").write_text(DRIVER)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", kept / "libcuda.so.1", kept / "driver.c"], check=True)
    done = subprocess.run([sys.executable, "-c", USE, kept / "cuda"], text=True, capture_output=True, check=False,
                          env={**environment(kept), "LD_LIBRARY_PATH": str(kept)})
    assert done.returncode == 0, done.stderr
    add, module, function = "0x1000 0x2000 0x10020 98432", "0x123456789abc", "0xabcdef987654"
    assert done.stdout.splitlines() == [
        "retain", f"function add of {module}", "pointer 11 0x1000", "pointer 12 0x1000", "pointer 11 0x10020",
        "pointer 12 0x10020", f"launch {function} 97,1,1 128,1,1 0 (nil)  {add}",
        f"launch {function} 2,3,1 128,1,1 0 (nil)  {add}",
        "33 8 {'ordinal': 0, 'arch': 90, 'shared': 232448, 'l2': 38, 'khz': 13}",
        f"launch {function} 1,1,2 128,1,1 0 0x4d  0x1004 0x10000000000 0 98431",
        "pointer 11 0x40000000", "argument 'o': it is not in the GPU's memory",
        f"launch {function} 1,7,1 128,1,1 0 (nil)  {add}", "the launch failed: made up (CUDA error 1)",
        f"function matmul of {module}", "set 8 to 81920",
        "OutOfResources out of resource: threads, Required: 256, Hardware limit: 128. Reducing block sizes or `num_stages` "
        "may help.", f"unload {module}"]
