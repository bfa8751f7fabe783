/* ttrt_print.h: lines of tl.device_print, "pid (x, y, z) idx (i, j) prefix value". operand is the
 * number of the value where a print has several, else negative. */
#ifndef TTRT_PRINT_H
#define TTRT_PRINT_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* The line, then what format makes of the rest. */
static __attribute__((noinline, unused, format(printf, 6, 7))) void
tt_print_line(const tt_env *env, const char *prefix, int operand, int count, const int64_t *indices,
              const char *format, ...) {
  char line[4096];
  size_t len =
      (size_t)snprintf(line, sizeof line, "pid (%" PRId32 ", %" PRId32 ", %" PRId32 ") idx (",
                       env->id[0], env->id[1], env->id[2]);
  for (int i = 0; i < count && len < sizeof line; i++)
    len += (size_t)snprintf(line + len, sizeof line - len, "%s%" PRId64, i == 0 ? "" : ", ",
                            indices[i]);
  len += (size_t)snprintf(line + len, sizeof line - len, ")%.3000s", prefix);
  if (operand >= 0)
    len += (size_t)snprintf(line + len, sizeof line - len, "(operand %d) ", operand);
  va_list list;
  va_start(list, format);
  len += (size_t)vsnprintf(line + len, sizeof line - len, format, list);
  va_end(list);
  env->runtime->print(env, line, len < sizeof line ? len : sizeof line - 1);
}

static inline __attribute__((unused)) void tt_print_text(const tt_env *env, const char *prefix) {
  tt_print_line(env, prefix, -1, 0, NULL, "%s", "");
}

static inline __attribute__((unused)) void tt_print_float(const tt_env *env, const char *prefix,
                                                          int operand, int count,
                                                          const int64_t *indices, double value) {
  tt_print_line(env, prefix, operand, count, indices, "%f", value);
}

static inline __attribute__((unused)) void tt_print_signed(const tt_env *env, const char *prefix,
                                                           int operand, int count,
                                                           const int64_t *indices, int64_t value) {
  tt_print_line(env, prefix, operand, count, indices, "%" PRId64, value);
}

static inline __attribute__((unused)) void tt_print_unsigned(const tt_env *env, const char *prefix,
                                                             int operand, int count,
                                                             const int64_t *indices, uint64_t value,
                                                             int hex) {
  tt_print_line(env, prefix, operand, count, indices, hex ? "0x%" PRIx64 : "%" PRIu64, value);
}

static inline __attribute__((unused)) void tt_print_pointer(const tt_env *env, const char *prefix,
                                                            int operand, int count,
                                                            const int64_t *indices,
                                                            const volatile void *value) {
  tt_print_line(env, prefix, operand, count, indices, "%p", (const void *)value);
}

#endif
