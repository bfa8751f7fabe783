/* main.c: ttcpu-mlir's command line. */
#include "route.h"

#include <mlir-c/RegisterEverything.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: ttcpu-mlir FILE --object OBJECT --stub CFILE [--ir LLFILE]\n"
    "\n"
    "Compiles a kernel's linalg, as ttcpu compile --to linalg prints it, with the passes of MLIR "
    "and\n"
    "LLVM for this machine. FILE may be '-', the standard input. The object and the C text, "
    "compiled\n"
    "together with the folder rt on the include path, are a library that exports ttcpu_kernel.\n"
    "\n"
    "  --object OBJECT  where the object goes\n"
    "  --stub CFILE     where the C text goes\n"
    "  --ir LLFILE      where the optimised LLVM IR goes\n"
    "\n"
    "Exit status: 0 they are written, 1 the module is refused, 2 a file could not be read or "
    "written.\n";

typedef struct options {
  const char *file, *object, *stub, *ir;
} options;

bool tc_route_fail(tc_err *err, const char *format, ...) {
  va_list args;
  va_start(args, format);
  err->code = TC_EREFUSED;
  (void)vsnprintf(err->what, sizeof err->what, format, args);
  va_end(args);
  return false;
}

void tc_route_append(MlirStringRef part, void *text) {
  tc_add(text, part.data, part.length);
}

static bool slurp(const char *path, tc_text *out) {
  bool standard = strcmp(path, "-") == 0;
  FILE *file = standard ? stdin : fopen(path, "rb");
  static char chunk[1 << 16];
  if (file == NULL)
    return false;
  while (feof(file) == 0 && ferror(file) == 0)
    tc_add(out, chunk, fread(chunk, 1, sizeof chunk, file));
  bool good = ferror(file) == 0;
  if (!standard)
    (void)fclose(file);
  return good && !out->failed;
}

static bool write_text(const char *path, const tc_text *text) {
  FILE *file = fopen(path, "wb");
  if (file == NULL)
    return false;
  bool good = fwrite(text->data, 1, text->len, file) == text->len;
  return fclose(file) == 0 && good;
}

static MlirContext make_context(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirRegisterAllPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirRegisterAllLLVMTranslations(context);
  mlirDialectRegistryDestroy(registry);
  return context;
}

/* MLIR prints what is wrong with a text to the standard error itself. */
static int compile(const options *o, const tc_text *text) {
  tc_err err = {0};
  tc_text stub = {0};
  int status = 1;
  MlirContext context = make_context();
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate(text->data != NULL ? text->data : "", text->len));
  if (mlirModuleIsNull(module))
    (void)tc_route_fail(&err, "it is no module of MLIR");
  else if (tc_stub(&stub, module, &err) && tc_object(module, o->object, o->ir, &err))
    status = write_text(o->stub, &stub) ? 0 : 2;
  if (status == 1)
    (void)fprintf(stderr, "ttcpu-mlir: %s: %s\n", o->file, err.what);
  else if (status == 2)
    (void)fprintf(stderr, "ttcpu-mlir: cannot write '%s': %s\n", o->stub, strerror(errno));
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDestroy(context);
  tc_text_free(&stub);
  return status;
}

static bool read_options(int argc, char **argv, options *o) {
  for (int i = 1; i < argc; i++) {
    const char **value = strcmp(argv[i], "--object") == 0 ? &o->object
                         : strcmp(argv[i], "--stub") == 0 ? &o->stub
                         : strcmp(argv[i], "--ir") == 0   ? &o->ir
                                                          : NULL;
    if (value != NULL && i + 1 < argc)
      *value = argv[++i];
    else if (value == NULL && o->file == NULL && (argv[i][0] != '-' || argv[i][1] == '\0'))
      o->file = argv[i];
    else
      return false;
  }
  return o->file != NULL && o->object != NULL && o->stub != NULL;
}

int main(int argc, char **argv) {
  options o = {0};
  tc_text text = {0};
  if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    (void)fputs(help, stdout);
    return 0;
  }
  if (!read_options(argc, argv, &o)) {
    (void)fputs(help, stderr);
    return 2;
  }
  int status = 2;
  errno = 0;
  if (slurp(o.file, &text))
    status = compile(&o, &text);
  else
    (void)fprintf(stderr, "ttcpu-mlir: cannot read '%s': %s\n", o.file, strerror(errno));
  tc_text_free(&text);
  return status;
}
