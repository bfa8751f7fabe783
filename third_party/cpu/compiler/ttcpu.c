/* ttcpu.c: the compiler's command line. */
#include "ops.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: ttcpu cat [--check | --stats] FILE\n"
    "\n"
    "Reads a module of Triton's TTIR in MLIR's generic form from FILE, or from the standard input\n"
    "for '-', checks it and prints it in the same form.\n"
    "\n"
    "  --check  prints nothing\n"
    "  --stats  prints how often each operation occurs instead, the most frequent first\n"
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

static int cat(const char *path, bool check, bool stats) {
  tc_text in = {0}, out = {0};
  tc_module *module = NULL;
  tc_err err = {0};
  int status = 0;
  errno = 0;
  if (!slurp(path, &in) || in.failed) {
    (void)fprintf(stderr, "ttcpu: cannot read '%s': %s\n", path,
                  in.failed ? "out of memory" : strerror(errno));
    status = 2;
  } else if (tc_read(&module, in.data != NULL ? in.data : "", in.len, &err) != TC_OK) {
    status = complain(path, &err);
  } else if (!check) {
    if (stats)
      print_stats(&out, module);
    else
      tc_print(&out, module);
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

int main(int argc, char **argv) {
  bool check = false, stats = false;
  const char *file = NULL;
  if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    (void)fputs(help, stdout);
    return 0;
  }
  bool good = argc > 1 && strcmp(argv[1], "cat") == 0;
  for (int i = 2; i < argc && good; i++) {
    if (strcmp(argv[i], "--check") == 0)
      check = true;
    else if (strcmp(argv[i], "--stats") == 0)
      stats = true;
    else if (file == NULL && (argv[i][0] != '-' || argv[i][1] == '\0'))
      file = argv[i];
    else
      good = false;
  }
  if (!good || file == NULL || (check && stats)) {
    (void)fputs(help, stderr);
    return 2;
  }
  return cat(file, check, stats);
}
