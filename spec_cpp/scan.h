/* scan.h: which files a text includes, without running a preprocessor. */
#ifndef SPEC_CPP_SCAN_H
#define SPEC_CPP_SCAN_H

#include "base/arena.h"

typedef enum spec_include_form {
  SPEC_INCLUDE_QUOTED, /* "x": beside the includer first, then the search path */
  SPEC_INCLUDE_ANGLED, /* <x>: the search path */
  SPEC_INCLUDE_NEXT,   /* #include_next: the rest of the search path */
  SPEC_INCLUDE_MACRO   /* #include NAME: only the preprocessor knows */
} spec_include_form;

typedef struct spec_include {
  const char *name; /* between the quotes; the macro's text for SPEC_INCLUDE_MACRO */
  spec_include_form form;
  size_t offset; /* bytes from the text's beginning to the directive */
} spec_include;

typedef struct spec_includes {
  spec_include *items;
  size_t count;
} spec_includes;

/* Every include that C or C++ text could make, whatever its conditions: #include, #import,
 * #include_next, #embed, __has_include, __has_embed, C++20's import of a header, and what a #define
 * makes of a name that an include may name, with blanks, comments, digraphs, trigraphs and
 * continued lines.  Includes inside comments and strings count too: the answer may hold too much,
 * never too little.  The time grows with the text's length alone. */
int spec_scan_c(spec_arena *arena, spec_includes *out, const char *text, size_t len, spec_err *err);

/* Every `include "x"` of TableGen text, by the same rule. */
int spec_scan_td(spec_arena *arena, spec_includes *out, const char *text, size_t len,
                 spec_err *err);

/* The line, from 1, in which an offset lies. */
size_t spec_scan_line(const char *text, size_t offset);

#endif
