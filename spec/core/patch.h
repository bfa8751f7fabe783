/* patch.h: a unified diff of one file, applied in memory to exactly the text it was made for.
 *
 * The rule that everything here serves: a hunk goes where all its old lines are, byte for byte,
 * and nowhere else.  No line is skipped, no place is guessed among several.
 *
 *   spec_patch_parse()   reads the diff
 *   spec_patch_place()   finds the place of every hunk, or why it has none
 *   spec_patch_write()   applies them there
 *   spec_patch_apply()   does both, or says why not
 */
#ifndef SPEC_CORE_PATCH_H
#define SPEC_CORE_PATCH_H

#include "base/arena.h"

/* A line of a hunk: bytes without the mark and the line end, not NUL-terminated. */
typedef struct spec_patch_line {
  const char *text;
  size_t len;
  size_t number; /* its line in the patch file, from 1 */
  char mark;     /* ' ' in both texts, '-' in the old, '+' in the new */
  bool unended;  /* "\ No newline at end of file" follows it */
} spec_patch_line;

/* Lines count from 1, as the header states them. */
typedef struct spec_patch_hunk {
  size_t number; /* line of its "@@" in the patch file */
  size_t old_line, old_count, new_line, new_count;
  const spec_patch_line *lines;
  size_t line_count;
  size_t before, after; /* context lines ahead of the first and behind the last change */
} spec_patch_hunk;

typedef struct spec_patch {
  const char *path; /* the patch file's own, for messages */
  const spec_patch_hunk *hunks;
  size_t hunk_count;
  unsigned new_mode;     /* as git's header states it (0100755); 0: it does not */
  bool creates, deletes; /* the file, by /dev/null or git's header */
  bool crlf;             /* the patch as a whole has CR LF line ends: lines are without their CR */
} spec_patch;

/* Reads a diff that changes one file: git's or plain headers, text before them, a mail's signature
 * behind.  Lines point into `text`.  `path` is for messages; the headers must name a file whose
 * last component is that of `target`, or none ("/dev/null", "-", ""), since a folder may be called
 * anything where the patch was made.
 * SPEC_EPARSE, with "path:line" and the mend: what is not such a diff, a binary one, more than one
 * file, a hunk whose counts are not its lines, one that changes nothing, a file that is moved. */
int spec_patch_parse(spec_patch *out, spec_arena *arena, const char *text, size_t len,
                     const char *path, const char *target, spec_err *err);

/* What a patch is applied to. */
typedef struct spec_patch_base {
  const char *text; /* NULL: there is no such file */
  size_t len;
  const char *path; /* for messages, as the reader knows the file */
  bool is_exact;    /* the caller knows that the patch was made from these very bytes */
} spec_patch_base;

typedef enum spec_hunk_state {
  SPEC_HUNK_APPLIES,
  SPEC_HUNK_UPSTREAMED, /* its new lines are there, its old ones are not: drop the hunk */
  SPEC_HUNK_NOWHERE,    /* its old lines are not there */
  SPEC_HUNK_AMBIGUOUS,  /* they are there several times */
  SPEC_HUNK_CLASHES,    /* its only place lies within or before that of the hunk ahead */
  SPEC_HUNK_OFF_EDGE,   /* its only place is not at the file's edge, and its context says so */
  SPEC_HUNK_BLIND       /* it has no old line to go by */
} spec_hunk_state;

/* Places that are listed. */
enum { SPEC_PATCH_CANDIDATES = 8 };

/* Where a hunk stands in the base; lines count from 1. */
typedef struct spec_hunk_place {
  spec_hunk_state state;
  size_t line;      /* of its first old line (a hunk without: of the line that it goes before), or
                       of its first new line when upstreamed */
  ptrdiff_t offset; /* that line minus the stated one, when it applies */
  size_t candidates[SPEC_PATCH_CANDIDATES]; /* ambiguous: the first places */
  size_t candidate_count;                   /* all of them, but one more than are listed at most */
  /* Nowhere: the place that is most alike (0: none is), and there the first line that differs. */
  size_t nearest, found; /* found: line of the base, one beyond its last at its end */
  const spec_patch_line *expected;
} spec_hunk_place;

typedef struct spec_patch_places {
  spec_hunk_place *hunks; /* one for each hunk of the patch */
  size_t applying, upstreamed, failing;
  bool eol_adopted; /* the patch has lost its line ends, and the base's are taken */
  const struct spec_patch_text *base; /* patch_text.h */
} spec_patch_places;

/* Looks for every hunk.  A hunk goes to its stated line if its old lines are there and the base is
 * exact; else they must be in the base exactly once.  A hunk whose context says that it touches the
 * file's first or last line is looked for there alone.
 * Line ends are bytes like others, but where the patch has CR LF throughout, headers too, or the
 * base has CR LF throughout and the patch shows old lines, but no CR at all: then they are taken
 * from the base, which must not mix them (SPEC_EREFUSED).  SPEC_ENOTFOUND, SPEC_EREFUSED: the patch
 * needs a file that is not there, or makes one that is. */
int spec_patch_place(spec_patch_places *out, spec_arena *arena, const spec_patch *patch,
                     const spec_patch_base *base, spec_err *err);

/* Makes err say why a hunk has no place: what, where and the mend.  Returns SPEC_ENOTFOUND or
 * SPEC_EAMBIGUOUS; SPEC_OK, and err untouched, for one that applies or is upstreamed. */
int spec_patch_explain(const spec_patch *patch, const spec_patch_base *base,
                       const spec_patch_places *places, size_t hunk, spec_err *err);

/* Lines of the result that come from one source, in a row. */
typedef struct spec_patch_span {
  size_t line, count; /* lines of the result, from 1 */
  size_t source;      /* the first one's line in the base, or in the patch file */
  bool from_patch;
} spec_patch_span;

typedef struct spec_patched {
  const char *text; /* NUL-terminated; NULL: the patch deletes the file */
  size_t len;
  const spec_patch_span *spans; /* all lines of the result, in order */
  size_t span_count;
  spec_patch_places places;
} spec_patched;

/* Applies all hunks but upstreamed ones at the places found, none of which is failing.
 * SPEC_EREFUSED: the patch deletes the file, but not all of its lines. */
int spec_patch_write(spec_patched *out, spec_arena *arena, const spec_patch *patch,
                     const spec_patch_base *base, const spec_patch_places *places, spec_err *err);

/* Finds all places and applies all hunks, or none: fails as spec_patch_place() does, or as
 * spec_patch_explain() does for the first hunk that has no place. */
int spec_patch_apply(spec_patched *out, spec_arena *arena, const spec_patch *patch,
                     const spec_patch_base *base, spec_err *err);

/* Where a line of the result comes from, or NULL when it has no such line. */
const spec_patch_span *spec_patch_source(const spec_patched *from, size_t line);

#endif
