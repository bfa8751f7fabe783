/* patch_explain.c: why a hunk has no place, in words. */
#include "core/patch.h"

#include "base/err.h"
#include "base/path.h"
#include <stdio.h>
#include <string.h>

/* Bytes of a line that are shown, and how many of them ahead of the first that differs. */
enum { SHOWN = 60, AHEAD = 20 };

typedef struct bytes {
  const char *text;
  size_t len;
} bytes;

/* The line of the base, without its LF; at its end: "". */
static bytes line_of(const spec_patch_base *base, size_t line) {
  const char *at = base->text, *end = at + base->len;
  for (; line > 1 && at < end; line--) {
    const char *lf = memchr(at, '\n', (size_t)(end - at));
    at = lf == NULL ? end : lf + 1;
  }
  const char *lf = memchr(at, '\n', (size_t)(end - at));
  return (bytes){at, (size_t)((lf == NULL ? end : lf) - at)};
}

/* The bytes from `from` on, quoted: what cannot be seen is escaped, what is too long is cut. */
static const char *quote(char *out, size_t cap, bytes b, size_t from) {
  size_t n = 0, start = from > AHEAD ? from - AHEAD : 0;
  while (start > 0 && start < b.len && ((unsigned char)b.text[start] & 0xC0) == 0x80)
    start--;
  size_t end = b.len - start > SHOWN ? start + SHOWN : b.len;
  while (end < b.len && end > start && ((unsigned char)b.text[end] & 0xC0) == 0x80)
    end--;
  bool utf8 = spec_text_is_utf8(b.text + start, end - start);
  n += (size_t)snprintf(out, cap, "%s'", start > 0 ? "..." : "");
  for (size_t i = start; i < end; i++) {
    unsigned char c = (unsigned char)b.text[i];
    bool bom = utf8 && end - i >= 3 && memcmp(b.text + i, "\xEF\xBB\xBF", 3) == 0;
    const char *format = bom                                             ? "<BOM>"
                         : c == '\t'                                     ? "\\t"
                         : c == '\r'                                     ? "\\r"
                         : c < 0x20 || c == 0x7F || (c >= 0x80 && !utf8) ? "\\x%02X"
                                                                         : "%c";
    n += (size_t)snprintf(out + n, cap - n, format, c);
    i += bom ? 2 : 0;
  }
  (void)snprintf(out + n, cap - n, "'%s", end < b.len ? "..." : "");
  return out;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Whether the lines differ in nothing but white space. */
static bool same_but_blanks(bytes a, bytes b) {
  size_t i = 0, k = 0;
  for (;;) {
    while (i < a.len && is_blank(a.text[i]))
      i++;
    while (k < b.len && is_blank(b.text[k]))
      k++;
    if (i == a.len || k == b.len)
      return i == a.len && k == b.len;
    if (a.text[i++] != b.text[k++])
      return false;
  }
}

/* What tells apart lines that may look alike. */
static const char *hint(bytes expected, bytes found, bool end_differs) {
  if (end_differs)
    return ": they differ in the newline at the file's end";
  size_t short_len = expected.len < found.len ? expected.len : found.len;
  bool prefix = memcmp(expected.text, found.text, short_len) == 0;
  if (prefix && short_len + 1 == (expected.len > found.len ? expected.len : found.len) &&
      (expected.len > found.len ? expected : found).text[short_len] == '\r')
    return ": they differ in their line ends";
  return same_but_blanks(expected, found) ? ": they differ in white space" : "";
}

static void say_difference(const spec_patch_base *base, const spec_patch_places *places,
                           size_t hunk, spec_err *err) {
  char a[SHOWN * 4 + 16], b[SHOWN * 4 + 16];
  const spec_hunk_place *place = &places->hunks[hunk];
  const spec_patch_line *line = place->expected;
  bytes expected = {line->text, line->len}, found = line_of(base, place->found);
  if (found.text == base->text + base->len && found.len == 0) {
    (void)spec_fail(err, SPEC_ENOTFOUND,
                    "hunk %zu does not fit '%s': at line %zu, the nearest place, the file ends "
                    "where the patch has %s",
                    hunk + 1, base->path, place->nearest, quote(a, sizeof a, expected, 0));
    return;
  }
  if (places->eol_adopted && found.len > 0 && found.text[found.len - 1] == '\r')
    found.len--;
  size_t same = 0;
  while (same < expected.len && same < found.len && expected.text[same] == found.text[same])
    same++;
  bool ended = found.text + found.len < base->text + base->len; /* an LF follows, or CR LF */
  bool end_differs = same == expected.len && same == found.len && ended == line->unended;
  (void)spec_fail(
      err, SPEC_ENOTFOUND,
      "hunk %zu does not fit '%s': at line %zu, the nearest place, line %zu is %s where "
      "the patch has %s%s",
      hunk + 1, base->path, place->nearest, place->found, quote(b, sizeof b, found, same),
      quote(a, sizeof a, expected, same), hint(expected, found, end_differs));
}

static int nowhere(const spec_patch *patch, const spec_patch_base *base,
                   const spec_patch_places *places, size_t hunk, spec_err *err) {
  const spec_hunk_place *place = &places->hunks[hunk];
  size_t number = patch->hunks[hunk].number;
  if (place->nearest == 0) {
    (void)spec_fail(err, SPEC_ENOTFOUND, "hunk %zu does not fit '%s': nothing there is like it",
                    hunk + 1, base->path);
  } else {
    number = place->expected->number;
    say_difference(base, places, hunk, err);
  }
  (void)spec_fail_where(err, "%s:%zu", patch->path, number);
  (void)spec_fail_mend(err, "make the patch anew against the file as it is now, or drop the hunk");
  return SPEC_ENOTFOUND;
}

static int ambiguous(const spec_patch *patch, const spec_patch_base *base,
                     const spec_hunk_place *place, size_t hunk, spec_err *err) {
  char list[SPEC_PATCH_CANDIDATES * 24 + 1] = "";
  size_t n = 0, shown = place->candidate_count;
  if (shown > SPEC_PATCH_CANDIDATES)
    shown = SPEC_PATCH_CANDIDATES;
  for (size_t i = 0; i < shown; i++)
    n += (size_t)snprintf(list + n, sizeof list - n, "%s%zu",
                          i == 0                                              ? ""
                          : i + 1 == shown && shown == place->candidate_count ? " and "
                                                                              : ", ",
                          place->candidates[i]);
  (void)spec_fail(err, SPEC_EAMBIGUOUS,
                  "hunk %zu fits '%s' at several places, which its context does not tell apart: "
                  "lines %s%s",
                  hunk + 1, base->path, list, shown < place->candidate_count ? " and more" : "");
  (void)spec_fail_where(err, "%s:%zu", patch->path, patch->hunks[hunk].number);
  (void)spec_fail_mend(err, "make the patch with more context: 'diff -U 10', 'git diff -U10'");
  return SPEC_EAMBIGUOUS;
}

int spec_patch_explain(const spec_patch *patch, const spec_patch_base *base,
                       const spec_patch_places *places, size_t hunk, spec_err *err) {
  const spec_hunk_place *place = &places->hunks[hunk];
  int code = SPEC_ENOTFOUND;
  const char *mend = "make the patch anew against the file as it is now";
  switch (place->state) {
  case SPEC_HUNK_APPLIES:
  case SPEC_HUNK_UPSTREAMED:
    return SPEC_OK;
  case SPEC_HUNK_NOWHERE:
    return nowhere(patch, base, places, hunk, err);
  case SPEC_HUNK_AMBIGUOUS:
    return ambiguous(patch, base, place, hunk, err);
  case SPEC_HUNK_CLASHES:
    (void)spec_fail(err, code,
                    "hunk %zu fits '%s' only at line %zu, before the end of a hunk ahead", hunk + 1,
                    base->path, place->line);
    break;
  case SPEC_HUNK_OFF_EDGE:
    (void)spec_fail(err, code,
                    "hunk %zu has no context on one side, as at the file's edge, but fits '%s' at "
                    "line %zu, where more lines are",
                    hunk + 1, base->path, place->line);
    break;
  case SPEC_HUNK_BLIND:
    code = SPEC_EAMBIGUOUS;
    mend = "make the patch with context: 'diff -u', 'git diff'";
    (void)spec_fail(err, code, "hunk %zu shows no line of '%s', so that nothing tells its place",
                    hunk + 1, base->path);
    break;
  }
  (void)spec_fail_where(err, "%s:%zu", patch->path, patch->hunks[hunk].number);
  (void)spec_fail_mend(err, "%s", mend);
  return code;
}
