/* cmd_cat.c: `ttcpu cat` prints a module again, or how often its operations occur. */
#include "compiler/read/ops.h"
#include "tool.h"

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

int cmd_cat(int argc, char **argv) {
  bool check = false, stats = false;
  const tool_option options[] = {
      {"--check", &check, NULL}, {"--stats", &stats, NULL}, {NULL, NULL, NULL}};
  int words = tool_options(argc, argv, options);
  if (words < 0)
    return TOOL_FAILED;
  if (words != 1 || (check && stats))
    return tool_fail("cat wants one FILE, and either --check or --stats: see ttcpu --help");
  tool_source source = {0};
  tc_module *module = NULL;
  tc_text out = {0};
  int status = tool_slurp(&source, argv[0]);
  if (status == TOOL_OK)
    status = tool_read(&module, &source);
  if (status == TOOL_OK && stats)
    print_stats(&out, module);
  else if (status == TOOL_OK && !check)
    tc_print(&out, module);
  if (status == TOOL_OK)
    status = tool_write(NULL, &out);
  tc_module_free(module);
  tc_text_free(&out);
  tc_text_free(&source.text);
  return status;
}
