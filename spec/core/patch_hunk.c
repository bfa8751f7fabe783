/* patch_hunk.c: reads the hunks of a unified diff, and what follows them. */
#include "core/patch_read.h"

#include "base/err.h"
#include <stdint.h>
#include <string.h>

/* Line numbers and counts up to here, so that sums of a few cannot overflow. */
static const size_t number_max = SIZE_MAX / 8;

static bool number(const char **p, const char *end, size_t *out) {
  const char *start = *p;
  for (*out = 0; *p < end && **p >= '0' && **p <= '9'; (*p)++) {
    *out = *out * 10 + (size_t)(**p - '0');
    if (*out > number_max)
      return false;
  }
  return *p > start;
}

static bool literal(const char **p, const char *end, const char *text) {
  size_t len = strlen(text);
  if ((size_t)(end - *p) < len || memcmp(*p, text, len) != 0)
    return false;
  *p += len;
  return true;
}

/* "12,3" or "12", which is one line. */
static bool range(const char **p, const char *end, size_t *line, size_t *count) {
  *count = 1;
  return number(p, end, line) && (!literal(p, end, ",") || number(p, end, count));
}

static bool header_of(const spec_patch_reader *r, spec_patch_hunk *hunk) {
  const char *p = r->line, *end = r->line + r->bare;
  bool ok = literal(&p, end, "@@ -") && range(&p, end, &hunk->old_line, &hunk->old_count) &&
            literal(&p, end, " +") && range(&p, end, &hunk->new_line, &hunk->new_count) &&
            literal(&p, end, " @@") && (p == end || *p == ' ');
  /* A range without lines names the line before it, which may be 0. */
  return ok && (hunk->old_line > 0 || hunk->old_count == 0) &&
         (hunk->new_line > 0 || hunk->new_count == 0);
}

static int check_order(const spec_patch_reader *r, const spec_patch_hunk *hunk, spec_err *err) {
  if (r->hunk_count == 0)
    return SPEC_OK;
  const spec_patch_hunk *last = &r->hunks[r->hunk_count - 1];
  size_t start = hunk->old_line - (hunk->old_count > 0);
  if (r->old_unended || r->new_unended) {
    (void)spec_fail(err, SPEC_EPARSE, "a hunk follows that of the file's end (line %zu)",
                    last->number);
    return spec_patch_bad(r, hunk->number, NULL, err);
  }
  if (start >= last->old_line - (last->old_count > 0) + last->old_count)
    return SPEC_OK;
  (void)spec_fail(err, SPEC_EPARSE, "the hunk begins before the end of the one ahead (line %zu)",
                  last->number);
  return spec_patch_bad(r, hunk->number, "put hunks in order, each line into one", err);
}

/* The hunk's lines are not as many as its header states. */
static int bad_count(const spec_patch_reader *r, const spec_patch_hunk *hunk, bool more,
                     spec_err *err) {
  if (more)
    (void)spec_fail(err, SPEC_EPARSE,
                    "more lines than the hunk's header (line %zu) states: %zu old, %zu new",
                    hunk->number, hunk->old_count, hunk->new_count);
  else
    (void)spec_fail(err, SPEC_EPARSE,
                    "the hunk ends after %zu old and %zu new lines, but its header (line %zu) "
                    "states %zu and %zu",
                    hunk->old_count - r->old_left, hunk->new_count - r->new_left, hunk->number,
                    hunk->old_count, hunk->new_count);
  return spec_patch_bad(r, r->number, "mend the counts of the header, or make the patch anew", err);
}

/* "\ No newline at end of file", in any language. */
static int end_line(spec_patch_reader *r, spec_err *err) {
  spec_patch_line *line = r->line_count > 0 ? &r->lines[r->line_count - 1] : NULL;
  if (line == NULL || line->unended || !spec_patch_starts(r, "\\ ")) {
    (void)spec_fail(err, SPEC_EPARSE,
                    "'\\' belongs below the last line of a file: "
                    "'\\ No newline at end of file'");
    return spec_patch_bad(r, r->number, NULL, err);
  }
  line->unended = true;
  r->old_unended |= line->mark != '+';
  r->new_unended |= line->mark != '-';
  return SPEC_OK;
}

static int add_line(spec_patch_reader *r, const spec_patch_hunk *hunk, spec_err *err) {
  size_t len = r->out->crlf ? r->bare : r->len;
  /* An editor may have taken the mark from a context line that is empty otherwise. */
  bool stripped = r->bare == 0;
  char mark = stripped ? ' ' : r->line[0];
  if (mark == '\\')
    return end_line(r, err);
  if (strchr(" -+", mark) == NULL || mark == '\0')
    return bad_count(r, hunk, false, err);
  bool old = mark != '+', new = mark != '-';
  if ((old && r->old_left == 0) || (new && r->new_left == 0))
    return bad_count(r, hunk, true, err);
  if ((old && r->old_unended) || (new && r->new_unended)) {
    (void)spec_fail(err, SPEC_EPARSE, "a line follows the file's last, which has no newline");
    return spec_patch_bad(r, r->number, NULL, err);
  }
  int rc =
      spec_arena_reserve(r->arena, &r->lines, r->line_count, &r->line_cap, sizeof *r->lines, err);
  if (rc != 0)
    return rc;
  r->lines[r->line_count++] =
      (spec_patch_line){r->line + !stripped, len - !stripped, r->number, mark, false};
  r->old_left -= old;
  r->new_left -= new;
  return SPEC_OK;
}

static const spec_patch_line *next_of(const spec_patch_hunk *hunk, size_t *at, char other) {
  while (*at < hunk->line_count && hunk->lines[*at].mark == other)
    ++*at;
  return *at < hunk->line_count ? &hunk->lines[(*at)++] : NULL;
}

static bool changes_nothing(const spec_patch_hunk *hunk) {
  if (hunk->old_count != hunk->new_count)
    return false;
  size_t i = 0, k = 0;
  for (size_t n = 0; n < hunk->old_count; n++) {
    const spec_patch_line *a = next_of(hunk, &i, '+'), *b = next_of(hunk, &k, '-');
    if (a->len != b->len || a->unended != b->unended || memcmp(a->text, b->text, a->len) != 0)
      return false;
  }
  return true;
}

/* Context ahead of the first change and behind the last. */
static void measure(spec_patch_hunk *hunk) {
  while (hunk->before < hunk->line_count && hunk->lines[hunk->before].mark == ' ')
    hunk->before++;
  while (hunk->after < hunk->line_count &&
         hunk->lines[hunk->line_count - 1 - hunk->after].mark == ' ')
    hunk->after++;
}

static int keep(spec_patch_reader *r, spec_patch_hunk *hunk, spec_err *err) {
  hunk->lines = r->lines;
  hunk->line_count = r->line_count;
  if (changes_nothing(hunk)) {
    (void)spec_fail(err, SPEC_EPARSE, "the hunk changes nothing");
    return spec_patch_bad(r, hunk->number, "delete the hunk", err);
  }
  bool whole = r->hunk_count == 0;
  if ((r->out->creates && (hunk->old_count > 0 || !whole)) ||
      (r->out->deletes && (hunk->new_count > 0 || !whole))) {
    (void)spec_fail(err, SPEC_EPARSE,
                    "the patch %s the file, so it has one hunk with all its lines",
                    r->out->creates ? "creates" : "deletes");
    return spec_patch_bad(r, hunk->number, NULL, err);
  }
  measure(hunk);
  int rc =
      spec_arena_reserve(r->arena, &r->hunks, r->hunk_count, &r->hunk_cap, sizeof *r->hunks, err);
  if (rc != 0)
    return rc;
  r->hunks[r->hunk_count++] = *hunk;
  r->lines = NULL;
  r->line_count = r->line_cap = 0;
  return SPEC_OK;
}

static int read_hunk(spec_patch_reader *r, spec_err *err) {
  spec_patch_hunk hunk = {.number = r->number};
  if (spec_patch_starts(r, "@@@")) {
    (void)spec_fail(err, SPEC_EPARSE, "a hunk of the combined diff of a merge");
    return spec_patch_bad(r, r->number, "make it against one parent: 'git diff <base>'", err);
  }
  if (!header_of(r, &hunk)) {
    (void)spec_fail(err, SPEC_EPARSE,
                    "not a hunk's header: '@@ -<line>,<count> +<line>,<count> @@'");
    return spec_patch_bad(r, r->number, NULL, err);
  }
  int rc = check_order(r, &hunk, err);
  if (r->hunk_count == 0)
    r->out->crlf = r->cr;
  r->old_left = hunk.old_count;
  r->new_left = hunk.new_count;
  while (rc == 0 && (r->old_left > 0 || r->new_left > 0))
    rc = spec_patch_next(r) ? add_line(r, &hunk, err) : bad_count(r, &hunk, false, err);
  if (rc == 0 && r->at < r->end && *r->at == '\\' && spec_patch_next(r))
    rc = end_line(r, err);
  return rc != 0 ? rc : keep(r, &hunk, err);
}

/* The current line stands where only another hunk may. */
static int garbage(const spec_patch_reader *r, size_t number, spec_err *err) {
  if (r->hunk_count > 0 && r->number == number && r->line[0] != '\0' &&
      strchr(" -+", r->line[0]) != NULL)
    return bad_count(r, &r->hunks[r->hunk_count - 1], true, err);
  (void)spec_fail(err, SPEC_EPARSE, "text %s",
                  r->hunk_count == 0 ? "where a hunk ('@@ ...') is expected"
                                     : "behind a hunk that belongs to none");
  return spec_patch_bad(r, number, "delete it, or make the patch anew", err);
}

bool spec_patch_is_signature(const spec_patch_reader *r) {
  return spec_patch_starts(r, "--") && (r->bare == 2 || (r->bare == 3 && r->line[2] == ' '));
}

int spec_patch_tail(spec_patch_reader *r, spec_err *err) {
  size_t first = r->number;
  bool is_signed = false;
  do {
    if (spec_patch_starts(r, "diff ") || spec_patch_starts(r, "Index: ") || spec_patch_at_names(r))
      return spec_patch_second_file(r, err);
    if (r->bare == 0)
      continue;
    if (is_signed || !spec_patch_is_signature(r))
      return garbage(r, first, err);
    is_signed = true;
    /* git's signature is its version. */
    if (r->at < r->end && *r->at >= '0' && *r->at <= '9')
      (void)spec_patch_next(r);
  } while (spec_patch_next(r));
  return SPEC_OK;
}

int spec_patch_hunks(spec_patch_reader *r, spec_err *err) {
  size_t number = r->number;
  int rc = 0;
  bool more = false;
  while (rc == 0 && (more = spec_patch_next(r)) && spec_patch_starts(r, "@@"))
    rc = read_hunk(r, err);
  if (rc == 0 && r->hunk_count == 0 && !more) {
    (void)spec_fail(err, SPEC_EPARSE, "a header without a hunk: the patch changes nothing");
    rc = spec_patch_bad(r, number, "delete it, or make it anew with the change in it", err);
  }
  if (rc == 0 && more)
    rc = r->hunk_count == 0 ? garbage(r, r->number, err) : spec_patch_tail(r, err);
  r->out->hunks = r->hunks;
  r->out->hunk_count = r->hunk_count;
  return rc;
}
