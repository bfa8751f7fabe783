/* buf.c: a byte string that grows by doubling. */
#include "base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FIRST_CAP ((size_t)256)

/* Room for more bytes and a NUL behind them; false when there is none. */
static bool reserve(spec_buf *buf, size_t more) {
  if (buf->failed)
    return false;
  if (more < buf->cap - buf->len)
    return true;
  buf->failed = more > SIZE_MAX / 2 - buf->len;
  if (buf->failed)
    return false;
  size_t cap = buf->cap > 0 ? buf->cap : FIRST_CAP;
  while (cap <= buf->len + more)
    cap *= 2;
  char *data = spec_realloc(buf->data, cap);
  buf->failed = data == NULL;
  if (buf->failed)
    return false;
  buf->data = data;
  buf->cap = cap;
  return true;
}

void spec_buf_add(spec_buf *buf, const char *data, size_t len) {
  if (!reserve(buf, len))
    return;
  memcpy(buf->data + buf->len, data, len);
  buf->len += len;
  buf->data[buf->len] = '\0';
}

void spec_buf_str(spec_buf *buf, const char *text) {
  spec_buf_add(buf, text, strlen(text));
}

void spec_buf_char(spec_buf *buf, char c) {
  spec_buf_add(buf, &c, 1);
}

void spec_buf_printf(spec_buf *buf, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int len = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (len < 0) {
    buf->failed = true;
  } else if (reserve(buf, (size_t)len)) {
    (void)vsnprintf(buf->data + buf->len, (size_t)len + 1, format, again);
    buf->len += (size_t)len;
  }
  va_end(again);
}

bool spec_buf_failed(const spec_buf *buf) {
  return buf->failed;
}

const char *spec_buf_text(const spec_buf *buf) {
  return buf->data != NULL ? buf->data : "";
}

void spec_buf_clear(spec_buf *buf) {
  buf->len = 0;
  if (buf->data != NULL)
    buf->data[0] = '\0';
}

void spec_buf_dispose(spec_buf *buf) {
  spec_free(buf->data);
  *buf = (spec_buf){0};
}
