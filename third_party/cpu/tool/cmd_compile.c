/* cmd_compile.c: `ttcpu compile` writes what a module becomes. */
#define _GNU_SOURCE
#include "compiler/emit.h"
#include "tool.h"

#include <string.h>
#include <unistd.h>

static int emit_tile(tc_text *out, const tc_program *program, tc_err *err) {
  (void)err;
  tc_tile_print(out, program);
  return TC_OK;
}

/* What --to names. */
static const struct form {
  const char *name;
  tool_emitter emit;
  bool is_built; /* what emit adds then goes through clang */
} forms[] = {
    {"tile", emit_tile, false},
    {"c", tc_emit_c, false},
    {"linalg", tc_emit_linalg, false},
    {"so", tc_emit_c, true},
};

static const struct form *form_of(const char *name) {
  for (size_t i = 0; name != NULL && i < sizeof forms / sizeof *forms; i++)
    if (strcmp(forms[i].name, name) == 0)
      return &forms[i];
  return NULL;
}

/* Writes what the source becomes to the file path. */
static int compile(const tool_source *source, const struct form *form, bool strict, const char *rt,
                   const char *path) {
  tc_text out = {0};
  tool_source library = {0};
  int status = tool_translate(&out, source, form->emit, strict);
  if (status == TOOL_OK && form->is_built)
    status = tool_build(&library, &out, rt);
  if (status == TOOL_OK)
    status = tool_write(path, form->is_built ? &library.text : &out);
  tc_text_free(&library.text);
  tc_text_free(&out);
  return status;
}

int cmd_compile(int argc, char **argv) {
  bool strict = false;
  const char *to = NULL, *path = NULL, *rt = NULL;
  const tool_option options[] = {{"--to", NULL, &to},
                                 {"--strict", &strict, NULL},
                                 {"--rt", NULL, &rt},
                                 {"-o", NULL, &path},
                                 {NULL, NULL, NULL}};
  int words = tool_options(argc, argv, options);
  if (words < 0)
    return TOOL_FAILED;
  const struct form *form = form_of(to);
  if (words != 1 || form == NULL)
    return tool_fail("compile wants one FILE and --to tile|c|linalg|so: see ttcpu --help");
  if (form->is_built && path == NULL && isatty(STDOUT_FILENO))
    return tool_fail("a library is nothing for a terminal: say by -o where it goes");
  tool_source source = {0};
  int status = tool_slurp(&source, argv[0]);
  if (status == TOOL_OK)
    status = compile(&source, form, strict, rt, path);
  tc_text_free(&source.text);
  return status;
}
