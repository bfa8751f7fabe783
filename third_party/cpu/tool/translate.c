/* translate.c: from a file to a module, and to what that becomes. */
#include "compiler/lower/lower.h"
#include "tool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int tool_slurp(tool_source *out, const char *path) {
  bool standard = strcmp(path, "-") == 0;
  static char chunk[1 << 16];
  errno = 0;
  FILE *file = standard ? stdin : fopen(path, "rb");
  if (file == NULL)
    return tool_fail("cannot read '%s': %s", path, strerror(errno));
  out->name = standard ? "<stdin>" : path;
  while (feof(file) == 0 && ferror(file) == 0)
    tc_add(&out->text, chunk, fread(chunk, 1, sizeof chunk, file));
  int error = ferror(file) != 0 ? errno : 0;
  if (!standard)
    (void)fclose(file);
  if (error != 0 || out->text.failed)
    return tool_fail("cannot read '%s': %s", path,
                     out->text.failed ? "out of memory" : strerror(error));
  return TOOL_OK;
}

int tool_complain(const tool_source *source, const tc_err *err) {
  if (err->code != TC_EREFUSED)
    return tool_fail("%s: %s", source->name, err->what);
  (void)fprintf(stderr, "%s:%zu:%zu: %s\n", source->name, err->line, err->column, err->what);
  if (err->mend[0] != '\0')
    (void)fprintf(stderr, "  mend: %s\n", err->mend);
  return TOOL_REFUSED;
}

int tool_read(tc_module **out, const tool_source *source) {
  tc_err err = {0};
  const char *data = source->text.data != NULL ? source->text.data : "";
  return tc_read(out, data, source->text.len, &err) == TC_OK ? TOOL_OK
                                                             : tool_complain(source, &err);
}

int tool_translate(tc_text *out, const tool_source *source, tool_emitter emit, bool strict) {
  tc_module *module = NULL;
  tc_program *program = NULL;
  tc_err err = {0};
  tc_lower_options how = {.strict = strict};
  int status = tool_read(&module, source);
  if (status == TOOL_OK &&
      (tc_lower(&program, module, &how, &err) != TC_OK || emit(out, program, &err) != TC_OK))
    status = tool_complain(source, &err);
  tc_program_free(program);
  tc_module_free(module);
  return status;
}

int tool_write(const char *path, const tc_text *text) {
  const char *name = path != NULL ? path : "<stdout>";
  if (text->failed)
    return tool_fail("cannot write '%s': out of memory", name);
  errno = 0;
  FILE *file = path != NULL ? fopen(path, "wb") : stdout;
  bool good =
      file != NULL && (text->len == 0 || fwrite(text->data, 1, text->len, file) == text->len);
  if (file != NULL)
    good = (path != NULL ? fclose(file) : fflush(file)) == 0 && good;
  return good ? TOOL_OK : tool_fail("cannot write '%s': %s", name, strerror(errno));
}
