/* shell.h: the words of a POSIX shell command, as compilation databases and wrappers hold them. */
#ifndef SPEC_CPP_SHELL_H
#define SPEC_CPP_SHELL_H

#include "base/buf.h"

typedef struct spec_shell_word {
  const char *text;  /* quotes and escapes removed; NULL behind the last word */
  size_t begin, end; /* where it stands in the command, quotes and escapes included */
} spec_shell_word;

/* The word at or behind *at, which moves behind it.  Variables and substitutions are taken as they
 * are written; a quote that is never closed ends with the command. */
int spec_shell_next(spec_arena *arena, spec_shell_word *out, const char *command, size_t *at,
                    spec_err *err);

/* Appends 'text' so that a shell reads it as one word; bare when it needs no quotes. */
void spec_shell_quote(spec_buf *out, const char *text);

#endif
