/* spans.h: whose lines the lines of a made module are. */
#ifndef SPEC_PACKAGE_SPANS_H
#define SPEC_PACKAGE_SPANS_H

#include "package/package.h"

/* Spans in the making, sorted by line. Zero-initialise but for the arena. */
typedef struct spec_spans {
  spec_arena *arena;
  spec_span *items;
  size_t count, cap;
} spec_spans;

/* Appends a span; one that goes on where the last ends becomes a part of it. */
int spec_spans_add(spec_spans *to, spec_span span, spec_err *err);

/* Appends `count` lines, from `line` on, that are those of `base` from `base_line` on: each as a
 * line of the file that the base has it from. Later calls must ask for later lines of the base. */
int spec_spans_add_of(spec_spans *to, const spec_member *base, size_t line, size_t count,
                      size_t base_line, spec_err *err);

/* Lines of a text as Python counts them. */
size_t spec_text_lines(const char *text, size_t len);
/* Gives a module whose lines are all its file's the span that says so. */
int spec_span_whole(spec_member *member, spec_arena *arena, spec_err *err);

#endif
