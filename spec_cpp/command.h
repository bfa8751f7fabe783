/* command.h: the compile command of one file, made into one for another file. */
#ifndef SPEC_CPP_COMMAND_H
#define SPEC_CPP_COMMAND_H

#include "base/arena.h"

/* A compile command, as a compilation database has it. */
typedef struct spec_command_line {
  const char *directory; /* absolute; relative words are relative to it */
  const char *text;      /* for a POSIX shell */
  const char *file;      /* absolute, normal: the source that it compiles */
} spec_command_line;

/* What to make of it. */
typedef struct spec_command_change {
  const char *file;     /* the source to name instead */
  const char *quoted;   /* a folder to search first for "x", behind the source's own; or NULL */
  const char *language; /* of a header, which is only checked, e.g. "c++-header"; NULL: a source,
                           which is compiled as before */
} spec_command_change;

/* A flag of ours that only gcc knows: clang would refuse the whole command. */
#define SPEC_COMMAND_GCC_ONLY "-fno-canonical-system-headers"

/* The changed command, without that flag; all words that need no change stay as they are written.
 * *out is NULL when no word of the command names its file: then nothing can be said about another
 * one. */
int spec_command_adapt(spec_arena *arena, const char **out, const spec_command_line *line,
                       const spec_command_change *change, spec_err *err);

/* Where in the text the value of -DNAME=value begins, or NULL. */
const char *spec_command_define(const char *text, const char *name);

#endif
