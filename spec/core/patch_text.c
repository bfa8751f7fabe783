/* patch_text.c */
#include "core/patch_text.h"

#include "base/err.h"
#include <string.h>

/* How the base's lines end. */
typedef struct ends {
  size_t lf, crlf, lines;
} ends;

static ends count_ends(const char *text, size_t len) {
  ends e = {0};
  const char *at = text, *end = text + len;
  for (const char *lf; at < end && (lf = memchr(at, '\n', (size_t)(end - at))) != NULL; at = lf + 1)
    if (lf > at && lf[-1] == '\r')
      e.crlf++;
    else
      e.lf++;
  e.lines = e.lf + e.crlf + (at < end);
  return e;
}

/* Whether the patch shows lines of the old text, and no CR at the end of any line: then it cannot
 * have been made as it is from a text with CR LF. */
static bool lost_cr(const spec_patch *patch) {
  bool shows = false;
  for (size_t i = 0; i < patch->hunk_count; i++)
    for (size_t k = 0; k < patch->hunks[i].line_count; k++) {
      const spec_patch_line *line = &patch->hunks[i].lines[k];
      if (line->len > 0 && line->text[line->len - 1] == '\r')
        return false;
      shows |= line->mark != '+' && !line->unended;
    }
  return shows;
}

int spec_patch_text_read(spec_patch_text *out, spec_arena *arena, const spec_patch *patch,
                         const spec_patch_base *base, spec_err *err) {
  size_t len = base->text == NULL ? 0 : base->len;
  ends e = count_ends(base->text == NULL ? "" : base->text, len);
  if (patch->crlf && e.lf > 0 && e.crlf > 0) {
    (void)spec_fail(err, SPEC_EREFUSED,
                    "all lines of the patch end in CR LF, but '%s' mixes line ends", base->path);
    (void)spec_fail_where(err, "%s", patch->path);
    (void)spec_fail_mend(err, "make the patch anew, and keep tools from converting its line ends");
    return SPEC_EREFUSED;
  }
  bool crlf = e.crlf > 0 && e.lf == 0 && (patch->crlf || lost_cr(patch));
  spec_patch_text text = {.lines = spec_arena_array(arena, e.lines, sizeof *text.lines),
                          .eol = crlf ? "\r\n" : "\n",
                          .eol_adopted = patch->crlf || crlf};
  if (text.lines == NULL)
    return spec_fail_memory(err);
  for (const char *at = base->text, *end = at + len; text.count < e.lines; text.count++) {
    const char *lf = memchr(at, '\n', (size_t)(end - at));
    size_t whole = lf == NULL ? (size_t)(end - at) : (size_t)(lf - at) + 1;
    size_t ending = lf == NULL ? 0 : crlf ? 2 : 1;
    text.lines[text.count] = (spec_patch_text_line){at, whole - ending, whole, lf == NULL};
    at += whole;
  }
  *out = text;
  return SPEC_OK;
}

bool spec_patch_makes(const spec_patch *patch, const spec_patch_base *base) {
  const char *at = base->text, *end = at + base->len;
  for (size_t i = 0; patch->hunk_count > 0 && i < patch->hunks[0].line_count; i++) {
    const spec_patch_line *line = &patch->hunks[0].lines[i];
    size_t whole = line->len + !line->unended;
    if ((size_t)(end - at) < whole || memcmp(at, line->text, line->len) != 0 ||
        (!line->unended && at[line->len] != '\n'))
      return false;
    at += whole;
  }
  return at == end;
}
