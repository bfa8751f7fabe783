/* shell.c */
#include "shell.h"

#include "base/err.h"
#include <string.h>

static const char blanks[] = " \t\r\n";

/* What a backslash does at p, inside double quotes or outside: how many bytes to drop. */
static size_t escape_at(const char *p, char quote) {
  if (*p != '\\' || p[1] == '\0' || quote == '\'')
    return 0;
  return quote == '\0' || strchr("$`\"\\\n", p[1]) != NULL ? 1 : 0;
}

int spec_shell_next(spec_arena *arena, spec_shell_word *out, const char *command, size_t *at,
                    spec_err *err) {
  const char *p = command + *at;
  p += strspn(p, blanks);
  *out = (spec_shell_word){.begin = (size_t)(p - command)};
  if (*p == '\0') {
    *at = out->end = out->begin;
    return SPEC_OK;
  }
  spec_buf word = {0};
  char quote = '\0';
  for (; *p != '\0' && (quote != '\0' || strchr(blanks, *p) == NULL); p++) {
    size_t escaped = escape_at(p, quote);
    p += escaped;
    if (escaped == 0 && quote == '\0' && (*p == '"' || *p == '\''))
      quote = *p;
    else if (escaped == 0 && quote != '\0' && *p == quote)
      quote = '\0';
    else
      spec_buf_char(&word, *p);
  }
  *at = out->end = (size_t)(p - command);
  out->text = spec_buf_failed(&word) ? NULL : spec_arena_strdup(arena, spec_buf_text(&word));
  spec_buf_dispose(&word);
  return out->text == NULL ? spec_fail_memory(err) : SPEC_OK;
}

/* Characters that no shell treats specially. */
static bool is_plain(const char *text) {
  return *text != '\0' && text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789_-+=./,:@%")] == '\0';
}

void spec_shell_quote(spec_buf *out, const char *text) {
  if (is_plain(text)) {
    spec_buf_str(out, text);
    return;
  }
  spec_buf_char(out, '\'');
  for (; *text != '\0'; text++) {
    if (*text == '\'')
      spec_buf_str(out, "'\\''");
    else
      spec_buf_char(out, *text);
  }
  spec_buf_char(out, '\'');
}
