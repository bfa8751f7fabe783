/* tokens.h: a piece of source text as the tokens that nearly all languages share, so that texts can
 * be compared and merged below the line.
 *
 * A token is a word (letters, digits, _), a string on one line, an operator, any other character,
 * or, where they count, a line's end.  White space ahead of a token is its lead and no part of it.
 * Nothing is known of comments: their words are tokens like others. */
#ifndef SPEC_DIFF_TOKENS_H
#define SPEC_DIFF_TOKENS_H

#include "diff/lines.h"

/* Tokens are told apart as lines are: see spec_lines_number().  The last one is empty and stands
 * for the text's end. */
typedef struct spec_tokens {
  spec_lines items;
  const char *text;
  size_t len;
} spec_tokens;

/* Splits a text.  `ends`: line ends are tokens; else they are white space.
 * SPEC_EREFUSED: too many to be numbered; SPEC_ENOMEM. */
int spec_tokens_split(spec_tokens *out, spec_arena *arena, const char *text, size_t len, bool ends,
                      spec_err *err);

/* The bytes of `count` tokens from `first` on, each with its lead. */
spec_line spec_tokens_with_lead(const spec_tokens *tokens, size_t first, size_t count);
/* Whether a token is a word. */
bool spec_token_is_word(const spec_line *token);
/* The white space ahead of a token. */
spec_line spec_tokens_lead(const spec_tokens *tokens, size_t index);

#endif
