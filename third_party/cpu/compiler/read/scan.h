/* scan.h: the reader's text as tokens, and its errors. */
#ifndef TTCPU_SCAN_H
#define TTCPU_SCAN_H

#include "base.h"

typedef enum tc_token_kind {
  TC_END,
  TC_PUNCT,  /* one character */
  TC_ARROW,  /* -> */
  TC_QUOTED, /* "..." with quotes and escapes as they are */
  TC_NUMBER, /* 12, 0xff, 1.5e-3; without a sign */
  TC_NAME,   /* bare */
  TC_VALUE,  /* %name */
  TC_LABEL,  /* ^name */
  TC_AT,     /* @name or @"name" */
  TC_HASH,   /* #name or #1 */
  TC_BANG    /* !name */
} tc_token_kind;

typedef struct tc_token {
  tc_token_kind kind;
  const char *start;
  size_t len;
} tc_token;

typedef struct tc_scan {
  const char *text, *end, *at; /* at: behind the token */
  tc_token token;
  bool failed; /* err holds the first error */
  tc_err *err;
  const char *known, *known_start; /* the last place that was asked for, its line's start ... */
  size_t known_line;               /* ... and number */
} tc_scan;

void tc_scan_begin(tc_scan *scan, const char *text, size_t len, tc_err *err);
/* Moves to the next token; false when what follows is none. */
bool tc_next(tc_scan *scan);
/* Makes the text at `at` the next token: what a token holds can be read in pieces. */
bool tc_next_at(tc_scan *scan, const char *at);
/* Whether the token is this punctuation. */
bool tc_is(const tc_scan *scan, char c);
/* Whether the token is this bare name. */
bool tc_is_name(const tc_scan *scan, const char *name);
/* Moves on if the token is this punctuation, and tells. */
bool tc_took(tc_scan *scan, char c);
/* The same, and an error if it is not. */
bool tc_expect(tc_scan *scan, char c);

/* Notes an error at the token, unless there is one; always false. */
bool tc_refuse(tc_scan *scan, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same at another place of the text. */
bool tc_refuse_at(tc_scan *scan, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds the mend to the error; always false. */
bool tc_mend(tc_scan *scan, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool tc_no_memory(tc_scan *scan);
/* Line and column of a place of the text, from 1. */
void tc_place_of(tc_scan *scan, const char *place, size_t *line, size_t *column);

#endif
