/* cmake_text.c */
#include "cmake_text.h"

static void escape(spec_buf *out, const char *text) {
  for (; *text != '\0'; text++) {
    if (*text == '\\' || *text == '"' || *text == '$')
      spec_buf_char(out, '\\');
    spec_buf_char(out, *text);
  }
}

void spec_cmake_quote(spec_buf *out, const char *text) {
  spec_buf_char(out, '"');
  escape(out, text);
  spec_buf_char(out, '"');
}

void spec_cmake_global(spec_buf *out, const char *name, const char *const *items, size_t count) {
  spec_buf_str(out, "set_property(GLOBAL PROPERTY ");
  spec_cmake_quote(out, name);
  spec_buf_str(out, " \"");
  for (size_t i = 0; i < count; i++) {
    if (i > 0)
      spec_buf_char(out, ';');
    escape(out, items[i]);
  }
  spec_buf_str(out, "\")\n");
}
