/* ttcpu.c: the command line of the compiler and of the runtime. */
#include "tool.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
} commands[] = {
    {"cat", cmd_cat},
    {"compile", cmd_compile},
    {"run", cmd_run},
};

static const char help[] =
    "usage: ttcpu cat [--check | --stats] FILE\n"
    "       ttcpu compile --to tile|c|linalg|so [--strict] [--rt DIR] [-o OUT] FILE\n"
    "       ttcpu run [--grid X[,Y[,Z]]] [--threads N | --cooperative] [--strict] [--rt DIR] FILE\n"
    "                 ARGUMENT...\n"
    "\n"
    "Reads a module of Triton's TTIR in MLIR's generic form from FILE, or from the standard input\n"
    "for '-', and checks it. cat prints it in the same form; compile compiles it; run runs it, "
    "where\n"
    "FILE may be a compiled library too.\n"
    "\n"
    "  --check    prints nothing\n"
    "  --stats    prints how often each operation occurs instead, the most frequent first\n"
    "  --to       writes the kernel as loop nests over buffers, or what they become: C, which\n"
    "             includes rt/ttrt.h; MLIR's linalg; or a library, by clang\n"
    "  --strict   keeps every load at its place: right also where tiles overlap in memory\n"
    "  --rt DIR   the backend's folder rt, if not the one beside this program\n"
    "  -o OUT     writes to the file OUT, not to the standard output\n"
    "  --grid     how many programs there are; else 1\n"
    "  --threads  how many threads run them at most; else as many as there are processors\n"
    "  --cooperative  a thread for each program, all at once: for programs that wait for others\n"
    "\n"
    "An ARGUMENT for each of the kernel's parameters, in their order:\n"
    "\n"
    "  i32=5  f32=1.5  a number: of i1, i8 to i64, u8 to u64, f16, bf16, f32, f64, f8E5M2 ...\n"
    "  f32[1024]       an array, for a pointer; all 0\n"
    "  f32[1024]=0.5   all of that number; =arange: 0, 1, 2 and so on, modulo the type's values;\n"
    "                  =@FILE: the bytes of a file; =random: splitmix64, whose seed is the\n"
    "                  argument's place from 1 on: floats from 0 to 1, integers of all values\n"
    "  ...:out         prints the array after the run; :out=FILE writes its bytes to a file\n"
    "\n"
    "TTCPU_CC names the clang that compiles kernels, if not the one that is there.\n"
    "\n"
    "Exit status: 0 all is well; 1 the module is refused, or an assertion of the kernel's fails;\n"
    "2 all else that fails.\n";

int tool_fail(const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)fputs("ttcpu: ", stderr);
  (void)vfprintf(stderr, format, args);
  (void)fputc('\n', stderr);
  va_end(args);
  return TOOL_FAILED;
}

/* The value goes to its option, if that takes one and there is one. */
static bool set_option(const tool_option *option, const char *value) {
  if (option->flag != NULL)
    *option->flag = true;
  else if (value != NULL)
    *option->value = value;
  else
    (void)tool_fail("%s wants a value behind it: see ttcpu --help", option->name);
  return option->flag != NULL || value != NULL;
}

int tool_options(int argc, char **argv, const tool_option *options) {
  int kept = 0;
  for (int i = 0; i < argc; i++) {
    if (argv[i][0] != '-' || argv[i][1] == '\0') {
      argv[kept++] = argv[i];
      continue;
    }
    const tool_option *option = options;
    while (option->name != NULL && strcmp(option->name, argv[i]) != 0)
      option++;
    if (option->name == NULL) {
      (void)tool_fail("unknown option '%s': see ttcpu --help", argv[i]);
      return -1;
    }
    if (!set_option(option, i + 1 < argc ? argv[i + 1] : NULL))
      return -1;
    i += option->flag == NULL;
  }
  return kept;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return tool_fail("no command: see ttcpu --help");
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
    return fputs(help, stdout) == EOF || fflush(stdout) != 0 ? TOOL_FAILED : TOOL_OK;
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (strcmp(argv[1], commands[i].name) == 0)
      return commands[i].run(argc - 2, argv + 2);
  return tool_fail("unknown command '%s': see ttcpu --help", argv[1]);
}
