/* err.c: errors in a fixed buffer. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char ellipsis[] = "...";

/* Ends a full buffer with an ellipsis, without a torn UTF-8 sequence before it. */
static void cut(char *text, size_t cap) {
  size_t end = cap - sizeof ellipsis;
  while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80)
    end--;
  memcpy(text + end, ellipsis, sizeof ellipsis);
}

/* Formats into out by way of scratch, since a caller may pass the old text as an argument. */
static void put(char *out, size_t cap, const char *format, va_list args) {
  char scratch[sizeof((spec_err *)0)->what];
  int len = vsnprintf(scratch, cap, format, args);
  if (len < 0)
    scratch[0] = '\0';
  else if ((size_t)len >= cap)
    cut(scratch, cap);
  memcpy(out, scratch, strlen(scratch) + 1);
}

int spec_fail(spec_err *err, int code, const char *format, ...) {
  if (err == NULL)
    return code;
  va_list args;
  va_start(args, format);
  put(err->what, sizeof err->what, format, args);
  va_end(args);
  err->code = code;
  err->where[0] = '\0';
  err->mend[0] = '\0';
  return code;
}

int spec_fail_where(spec_err *err, const char *format, ...) {
  if (err == NULL)
    return SPEC_EINVAL;
  va_list args;
  va_start(args, format);
  put(err->where, sizeof err->where, format, args);
  va_end(args);
  return err->code;
}

int spec_fail_mend(spec_err *err, const char *format, ...) {
  if (err == NULL)
    return SPEC_EINVAL;
  va_list args;
  va_start(args, format);
  put(err->mend, sizeof err->mend, format, args);
  va_end(args);
  return err->code;
}

const char *spec_code_name(int code) {
  switch (code) {
  case SPEC_OK:
    return "ok";
  case SPEC_ENOMEM:
    return "out-of-memory";
  case SPEC_EIO:
    return "io";
  case SPEC_EINVAL:
    return "invalid";
  case SPEC_ENOTFOUND:
    return "not-found";
  case SPEC_EAMBIGUOUS:
    return "ambiguous";
  case SPEC_EPARSE:
    return "parse";
  case SPEC_EREFUSED:
    return "refused";
  case SPEC_EBUSY:
    return "busy";
  default:
    return "unknown";
  }
}
