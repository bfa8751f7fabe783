/* unit.h: what every unit test includes. A test that touches files runs in a folder of its own:
 *   cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)
 * Its helpers use the system directly, so that no test rests on what it tests. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Makes an empty folder and enters it; leaves and removes it. The state is untouched. */
int enter_scratch(void **state);
int leave_scratch(void **state);
/* The scratch folder's absolute path, without links. */
const char *scratch(void);

/* Each fails the test if it cannot do its work. */
void put_bytes(const char *path, const void *data, size_t len); /* makes parents, mode 0644 */
void put(const char *path, const char *text);
void put_folder(const char *path); /* makes parents */
void put_link(const char *target, const char *path);
/* Whether path is a regular file, not a link, with exactly that text. */
bool holds_text(const char *path, const char *text);
/* Whether path is a link with exactly that target. */
bool is_link_to(const char *path, const char *target);
/* Entries of a folder without "." and "..", hidden ones too. */
size_t count_entries(const char *path);
/* Open descriptors of this process; 0 where the system does not tell. */
size_t count_descriptors(void);

/* Another process for which take(user) holds when this returns, and which lives until it is killed.
 */
pid_t start_other(bool (*take)(const void *user), const void *user);
void kill_other(pid_t pid);

/* The n-th of a fixed sequence of numbers that look random; *seed carries it on. */
uint32_t next_random(uint32_t *seed);

#endif
