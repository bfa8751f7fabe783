/* ttcpu.c: the compiler's command line. */
#include "emit.h"
#include "lower/lower.h"
#include "read/ops.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: ttcpu cat [--check | --stats] FILE\n"
    "       ttcpu compile --to tile|c|linalg [--strict] FILE\n"
    "\n"
    "Reads a module of Triton's TTIR in MLIR's generic form from FILE, or from the standard input\n"
    "for '-', and checks it. cat prints it in the same form; compile compiles it.\n"
    "\n"
    "  --check    prints nothing\n"
    "  --stats    prints how often each operation occurs instead, the most frequent first\n"
    "  --to       prints the kernel as loop nests over buffers, or what they become: C, which\n"
    "             includes rt/ttrt.h, or MLIR's linalg\n"
    "  --strict   keeps every load at its place: right also where tiles overlap in memory\n"
    "\n"
    "Exit status: 0 the text is sound, 1 it is refused, 2 it could not be read or printed.\n";

/* All of the file; false when it cannot be read. */
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
  return good;
}

static void count_ops(const tc_op *op, size_t *counts) {
  counts[op->row - tc_op_rows]++;
  for (size_t i = 0; i < op->region_count; i++)
    for (const tc_block *b = op->regions[i].first; b != NULL; b = b->next)
      for (const tc_op *inner = b->first; inner != NULL; inner = inner->next)
        count_ops(inner, counts);
}

static void print_stats(tc_text *text, const tc_module *module) {
  size_t counts[512] = {0};
  count_ops(module->op, counts);
  for (;;) {
    size_t most = 0;
    for (size_t i = 1; i < tc_op_row_count; i++)
      most = counts[i] > counts[most] ? i : most;
    if (counts[most] == 0)
      return;
    tc_add_format(text, "%7zu %s\n", counts[most], tc_op_rows[most].name);
    counts[most] = 0;
  }
}

static int complain(const char *path, const tc_err *err) {
  const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
  if (err->code == TC_ENOMEM)
    (void)fprintf(stderr, "ttcpu: %s: %s\n", name, err->what);
  else
    (void)fprintf(stderr, "%s:%zu:%zu: %s\n", name, err->line, err->column, err->what);
  if (err->mend[0] != '\0')
    (void)fprintf(stderr, "  mend: %s\n", err->mend);
  return err->code == TC_EREFUSED ? 1 : 2;
}

/* What is asked for. */
typedef struct options {
  bool check, stats, strict, compiles;
  const char *file, *to;
} options;

/* The module as text again, or how often its operations occur. */
static void write_module(tc_text *out, const tc_module *module, const options *o) {
  if (o->stats)
    print_stats(out, module);
  else if (!o->check)
    tc_print(out, module);
}

/* The compiled module, in the form that is asked for. */
static int write_program(tc_text *out, const tc_module *module, const options *o, tc_err *err) {
  tc_program *program = NULL;
  tc_lower_options how = {.strict = o->strict};
  int rc = tc_lower(&program, module, &how, err);
  if (rc == TC_OK && strcmp(o->to, "c") == 0)
    rc = tc_emit_c(out, program, err);
  else if (rc == TC_OK && strcmp(o->to, "linalg") == 0)
    rc = tc_emit_linalg(out, program, err);
  else if (rc == TC_OK)
    tc_tile_print(out, program);
  tc_program_free(program);
  return rc;
}

static int work(const options *o) {
  tc_text in = {0}, out = {0};
  tc_module *module = NULL;
  tc_err err = {0};
  int status = 0;
  errno = 0;
  if (!slurp(o->file, &in) || in.failed) {
    (void)fprintf(stderr, "ttcpu: cannot read '%s': %s\n", o->file,
                  in.failed ? "out of memory" : strerror(errno));
    status = 2;
  } else if (tc_read(&module, in.data != NULL ? in.data : "", in.len, &err) != TC_OK ||
             (o->compiles && write_program(&out, module, o, &err) != TC_OK)) {
    status = complain(o->file, &err);
  } else {
    if (!o->compiles)
      write_module(&out, module, o);
    if (out.failed || fwrite(out.data, 1, out.len, stdout) != out.len || fflush(stdout) != 0) {
      (void)fprintf(stderr, "ttcpu: cannot print\n");
      status = 2;
    }
  }
  tc_module_free(module);
  tc_text_free(&out);
  tc_text_free(&in);
  return status;
}

/* False where the arguments make no sense. */
static bool parse(int argc, char **argv, options *o) {
  o->compiles = argc > 1 && strcmp(argv[1], "compile") == 0;
  if (!o->compiles && (argc < 2 || strcmp(argv[1], "cat") != 0))
    return false;
  for (int i = 2; i < argc; i++) {
    if (!o->compiles && strcmp(argv[i], "--check") == 0)
      o->check = true;
    else if (!o->compiles && strcmp(argv[i], "--stats") == 0)
      o->stats = true;
    else if (o->compiles && strcmp(argv[i], "--strict") == 0)
      o->strict = true;
    else if (o->compiles && strcmp(argv[i], "--to") == 0 && i + 1 < argc)
      o->to = argv[++i];
    else if (o->file == NULL && (argv[i][0] != '-' || argv[i][1] == '\0'))
      o->file = argv[i];
    else
      return false;
  }
  bool known = o->to != NULL && (strcmp(o->to, "tile") == 0 || strcmp(o->to, "c") == 0 ||
                                 strcmp(o->to, "linalg") == 0);
  return o->file != NULL && !(o->check && o->stats) && (!o->compiles || known);
}

int main(int argc, char **argv) {
  options o = {0};
  if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    (void)fputs(help, stdout);
    return 0;
  }
  if (!parse(argc, argv, &o)) {
    (void)fputs(help, stderr);
    return 2;
  }
  return work(&o);
}
