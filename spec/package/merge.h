/* merge.h: a vendor's module that holds only what differs, merged into the trunk's module in the
 * source text. The rules are in docs/reference/merge.md. */
#ifndef SPEC_PACKAGE_MERGE_H
#define SPEC_PACKAGE_MERGE_H

#include "core/finding.h"
#include "package/py_scan.h"

/* What to merge. */
typedef struct spec_merge_input {
  spec_py_source trunk;   /* the trunk's module, or what the layers below made of it */
  spec_py_source vendor;  /* the module with the definitions that differ */
  const char *overlay;    /* the vendor's path for the comments in the merged text */
  bool strict_signatures; /* a call that only the trunk's function takes is an error, not a warning
                           */
} spec_merge_input;

/* Lines of the merged text that are lines of one of the two. Those that no span covers are ours:
 * comments and empty lines. */
typedef struct spec_merge_span {
  size_t line, count; /* in the merged text, from 1 */
  size_t source_line; /* where they begin in the trunk's or the vendor's */
  bool vendor;
} spec_merge_span;

typedef struct spec_merged {
  const char *text; /* in the arena, with a NUL behind it */
  size_t len;
  const spec_merge_span *spans; /* sorted by line, apart */
  size_t span_count;
} spec_merged;

/* Merges. What breaks a rule is reported at "<file>:<line>", all of it, not only the first; when
 * that raised report->errors, *out is untouched and the result is 0 all the same. Only memory
 * fails (SPEC_ENOMEM). */
int spec_merge(spec_merged *out, spec_arena *arena, spec_reporter *report,
               const spec_merge_input *input, spec_err *err);

#endif
