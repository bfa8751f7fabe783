/* template.c: placeholders, and the copy of a folder. */
#include "core/template.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include <string.h>

static char upper(char c) {
  return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static void add_upper(spec_buf *out, const char *name) {
  for (; *name != '\0'; name++)
    spec_buf_char(out, upper(*name));
}

static void add_camel(spec_buf *out, const char *name) {
  bool begins = true;
  for (; *name != '\0'; name++) {
    if (*name != '_')
      spec_buf_char(out, begins ? upper(*name) : *name);
    begins = *name == '_';
  }
}

static void add_name(spec_buf *out, const char *name) {
  spec_buf_str(out, name);
}

static const struct {
  const char *word;
  void (*add)(spec_buf *out, const char *name);
} placeholders[] = {
    {"@name@", add_name},
    {"@NAME@", add_upper},
    {"@Name@", add_camel},
};

void spec_template_text(spec_buf *out, const char *text, size_t len, const char *name) {
  size_t done = 0;
  for (size_t i = 0; i < len; i++) {
    if (text[i] != '@')
      continue;
    for (size_t p = 0; p < sizeof placeholders / sizeof *placeholders; p++) {
      size_t size = strlen(placeholders[p].word);
      if (len - i < size || memcmp(text + i, placeholders[p].word, size) != 0)
        continue;
      spec_buf_add(out, text + done, i - done);
      placeholders[p].add(out, name);
      done = i + size;
      i = done - 1;
      break;
    }
  }
  spec_buf_add(out, text + done, len - done);
}

static int fill_file(spec_arena *arena, const char *from, const char *to, const char *name,
                     spec_err *err) {
  spec_fs_file file;
  spec_buf text = {0};
  int rc = spec_fs_load(arena, &file, from, err);
  if (rc != 0)
    return rc;
  if (spec_text_is_utf8(file.data, file.len)) {
    spec_template_text(&text, file.data, file.len, name);
    file.data = spec_buf_text(&text);
    file.len = text.len;
  }
  file.modified = spec_fs_now();
  rc = spec_buf_failed(&text) ? spec_fail_memory(err) : spec_fs_create(to, &file, err);
  spec_buf_dispose(&text);
  return rc;
}

int spec_template_fill(spec_arena *arena, size_t *files, const char *from, const char *to,
                       const char *name, spec_err *err) {
  spec_dirent *entries;
  size_t count;
  int rc = spec_fs_mkdirs(to, err);
  if (rc == 0)
    rc = spec_fs_list(arena, &entries, &count, from, err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    const char *source = spec_path_join(arena, from, entries[i].name);
    const char *target = spec_path_join(arena, to, entries[i].name);
    if (source == NULL || target == NULL)
      return spec_fail_memory(err);
    if (entries[i].type == SPEC_FT_DIR)
      rc = spec_template_fill(arena, files, source, target, name, err);
    else if (entries[i].type == SPEC_FT_FILE)
      rc = fill_file(arena, source, target, name, err);
    if (rc == 0 && entries[i].type == SPEC_FT_FILE && files != NULL)
      ++*files;
  }
  return rc;
}
