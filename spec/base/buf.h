/* buf.h: a byte string that grows.  After the first failure every call is a no-op and
 * spec_buf_failed() tells; check once, at the end. */
#ifndef SPEC_BASE_BUF_H
#define SPEC_BASE_BUF_H

#include "base/arena.h"

typedef struct spec_buf {
  char *data; /* always NUL-terminated once something was added; NULL before */
  size_t len; /* bytes, without the NUL */
  size_t cap;
  bool failed;
} spec_buf; /* zero-initialise */

void spec_buf_add(spec_buf *buf, const char *data, size_t len);
void spec_buf_str(spec_buf *buf, const char *text);
void spec_buf_char(spec_buf *buf, char c);
void spec_buf_printf(spec_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool spec_buf_failed(const spec_buf *buf);
/* The text so far; "" when nothing was added. */
const char *spec_buf_text(const spec_buf *buf);
void spec_buf_clear(spec_buf *buf); /* length 0, memory kept */
void spec_buf_dispose(spec_buf *buf);

#endif
