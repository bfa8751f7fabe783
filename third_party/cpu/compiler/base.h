/* base.h: memory, growing text and errors of the compiler. It stands alone, so that the folder of
 * this backend can be installed without the rest of the repository. */
#ifndef TTCPU_BASE_H
#define TTCPU_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Result codes; the exit statuses of ttcpu follow from them: refused text is 1, the rest 2. */
enum { TC_OK = 0, TC_ENOMEM = -1, TC_EREFUSED = -2 };

/* What is wrong with a text: where (from 1; column in bytes), what, and the mend or "". */
typedef struct tc_err {
  int code; /* one of the codes above, 0 when unused */
  size_t line, column;
  char what[512];
  char mend[256];
} tc_err;

/* A region of memory that is freed at once. */
typedef struct tc_arena tc_arena;

tc_arena *tc_arena_new(void);        /* NULL when memory is out */
void tc_arena_free(tc_arena *arena); /* NULL is allowed */
/* size bytes, zeroed, aligned for any type; NULL when memory is out. A size of 0 gives a valid
 * pointer. */
void *tc_alloc(tc_arena *arena, size_t size);
/* Room for count items of size bytes; NULL on overflow too. */
void *tc_alloc_array(tc_arena *arena, size_t count, size_t size);
/* A copy of len bytes and a NUL; NULL when memory is out. */
char *tc_copy(tc_arena *arena, const char *text, size_t len);
/* Makes room for one more item in the array whose first item *array points to, which holds count
 * items of size bytes and has room for *cap. False when memory is out. */
bool tc_reserve(tc_arena *arena, void *array, size_t count, size_t *cap, size_t size);
/* Test hook: the n-th allocation of arenas from now fails, and all after it (0: none does).
 * Returns how many there were since the last call. */
size_t tc_alloc_fail_at(size_t n);

/* A byte string that grows. After the first failure every call does nothing. */
typedef struct tc_text {
  char *data; /* NUL-terminated once something was added; NULL before */
  size_t len, cap;
  bool failed;
} tc_text; /* zero-initialise */

void tc_add(tc_text *text, const char *data, size_t len);
void tc_add_str(tc_text *text, const char *data);
void tc_add_char(tc_text *text, char c);
void tc_add_format(tc_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tc_text_free(tc_text *text);

#endif
