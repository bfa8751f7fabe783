/* Stages in the cache: when one is made, when it is used again, and when it goes. */
#define _DEFAULT_SOURCE /* setenv(), utimensat() */

#include "base/fs.h"
#include "package/package.h"
#include "planning.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static findings found;
static spec_arena *arena;

static int set_up(void **state) {
  (void)unsetenv("TRITON_SPEC_CACHE_DAYS");
  int rc = enter_scratch(state);
  if (rc == 0)
    rc = spec_arena_new(&arena, NULL);
  if (rc == 0) {
    put("trunk/triton/__init__.py", "trunk");
    put("trunk/triton/runtime/jit.py", "trunk");
    put("trunk/triton/runtime/data.bin", "trunk");
    put("vendors/acme/spec/triton/runtime/jit.py", "vendor");
  }
  return rc;
}

static int tear_down(void **state) {
  spec_arena_free(arena);
  return leave_scratch(state);
}

static int try_open(spec_stage_hold *stage, spec_err *err) {
  const char *const roots[] = {at("vendors")};
  const spec_options options = {.trunk = at("trunk"),
                                .installed = true,
                                .backend = "acme",
                                .roots = roots,
                                .root_count = 1,
                                .on_event = remember,
                                .user = &found};
  found.count = 0;
  return spec_stage_open(stage, arena, &options, at("cache"), err);
}

static spec_stage_hold open_stage(void) {
  spec_stage_hold stage;
  spec_err err = {0};
  int rc = try_open(&stage, &err);
  if (rc != SPEC_OK)
    print_error("%s %s\n", err.what, found.count > 0 ? found.items[0].message : "");
  assert_int_equal(rc, SPEC_OK);
  return stage;
}

/* The stage is made or found, and let go. */
static bool is_fresh(char key[33]) {
  spec_stage_hold stage = open_stage();
  memcpy(key, stage.key, sizeof stage.key);
  spec_stage_release(&stage);
  return stage.fresh;
}

static const char *in_stage(const spec_stage_hold *stage, const char *path) {
  const char *full = spec_arena_printf(arena, "%s/%s", stage->path, path);
  assert_non_null(full);
  return full;
}

static void test_what_a_stage_holds(void **state) {
  (void)state;
  spec_stage_hold stage = open_stage();
  assert_true(stage.fresh);
  assert_true(holds_text(in_stage(&stage, "triton/runtime/jit.py"), "vendor"));
  assert_true(holds_text(in_stage(&stage, "triton/__init__.py"), "trunk"));
  assert_true(
      is_link_to(in_stage(&stage, "triton/runtime/data.bin"), at("trunk/triton/runtime/data.bin")));
  assert_non_null(strstr(text_of(in_stage(&stage, "manifest.json")), "\"mode\": \"live\""));
  assert_non_null(strstr(text_of(in_stage(&stage, "lines.json")), "triton/runtime/jit.py"));
  assert_int_equal(count_entries("cache/stages"), 2); /* and the lock */
  spec_stage_release(&stage);
}

static void test_one_stage_for_one_key(void **state) {
  (void)state;
  char first[33], second[33];
  assert_true(is_fresh(first));
  assert_false(is_fresh(second));
  assert_string_equal(first, second);
}

/* A copy keeps its file's date, which its bytecode is checked by. */
static void test_dates(void **state) {
  (void)state;
  const struct timespec times[2] = {{1000000000, 0}, {1234567890, 123456789}};
  assert_int_equal(utimensat(AT_FDCWD, "trunk/triton/__init__.py", times, 0), 0);
  spec_stage_hold stage = open_stage();
  struct stat st;
  assert_int_equal(stat(in_stage(&stage, "triton/__init__.py"), &st), 0);
  assert_int_equal(st.st_mtim.tv_sec, 1234567890);
  assert_int_equal(st.st_mtim.tv_nsec, 123456789);
  spec_stage_release(&stage);
}

/* --- what makes another stage ---------------------------------------------------------------- */

/* Writes other bytes of the same length, and sets the dates back. */
static void put_same_size(const char *path, const char *text) {
  struct stat st;
  assert_int_equal(stat(path, &st), 0);
  assert_int_equal(st.st_size, strlen(text));
  int fd = open(path, O_WRONLY);
  if (fd < 0) {
    fail_msg("cannot open '%s'", path);
    return;
  }
  assert_int_equal(write(fd, text, strlen(text)), strlen(text));
  const struct timespec times[2] = {st.st_atim, st.st_mtim};
  assert_int_equal(futimens(fd, times), 0);
  assert_int_equal(close(fd), 0);
}

static void makes_another(const char *name, void (*change)(void)) {
  char first[33], second[33];
  (void)is_fresh(first);
  change();
  (void)is_fresh(second);
  if (strcmp(first, second) == 0)
    print_error("not by '%s'\n", name);
  assert_string_not_equal(first, second);
}
#define MAKES_ANOTHER(change) makes_another(#change, change)

static void edit_vendor(void) {
  put_same_size("vendors/acme/spec/triton/runtime/jit.py", "VENDOR");
}
static void edit_trunk(void) {
  put_same_size("trunk/triton/__init__.py", "TRUNK");
}
static void add_to_trunk(void) {
  put("trunk/triton/runtime/other.bin", "");
}
static void add_to_overlay(void) {
  put("vendors/acme/spec/triton/runtime/other.txt", "");
}
static void remove_from_overlay(void) {
  assert_int_equal(unlink("vendors/acme/spec/triton/runtime/other.txt"), 0);
}
static void remove_by_ini(void) {
  put("vendors/acme/spec.ini", "[remove]\npath = triton/runtime/data.bin\n");
}
static void make_executable(void) {
  assert_int_equal(chmod("vendors/acme/spec/triton/runtime/jit.py", 0755), 0);
}

static void test_changes(void **state) {
  (void)state;
  MAKES_ANOTHER(edit_vendor);
  MAKES_ANOTHER(edit_trunk);
  MAKES_ANOTHER(add_to_trunk);
  MAKES_ANOTHER(add_to_overlay);
  MAKES_ANOTHER(remove_from_overlay);
  MAKES_ANOTHER(remove_by_ini);
  MAKES_ANOTHER(make_executable);
}

/* What is linked is read where it lies, so its bytes need no other stage; nor do dates. */
static void test_no_changes(void **state) {
  (void)state;
  char first[33], second[33];
  const struct timespec times[2] = {{0, UTIME_NOW}, {1500000000, 0}};
  (void)is_fresh(first);
  put("trunk/triton/runtime/data.bin", "newer");
  put("vendors/acme/spec_cpp/lib/a.cpp", "of builds alone");
  put("vendors/acme/README.md", "text");
  put("trunk/beside.py", "");
  assert_int_equal(utimensat(AT_FDCWD, "vendors/acme/spec/triton/runtime/jit.py", times, 0), 0);
  (void)is_fresh(second);
  assert_string_equal(first, second);
}

static void test_a_refused_overlay(void **state) {
  (void)state;
  spec_stage_hold stage = {.lock = -1};
  spec_err err = {0};
  put("trunk/triton/knobs.py", "trunk");
  put("vendors/acme/spec/triton/knobs.py", "vendor");
  assert_int_equal(try_open(&stage, &err), SPEC_EREFUSED);
  assert_non_null(find_said(&found, "closed"));
  assert_int_equal(access("cache/stages", F_OK), -1);
}

/* Findings are told by every call, also when nothing is planned anew. */
static void test_findings_are_told_again(void **state) {
  (void)state;
  char key[33];
  put("vendors/acme/backend/spec/x.h", "");
  put("vendors/acme/spec/triton/runtime/x%\n.txt", "");
  assert_int_equal(unlink("vendors/acme/spec/triton/runtime/x%\n.txt"), 0);
  for (int i = 0; i < 3; i++) {
    assert_true(is_fresh(key) == (i == 0));
    assert_int_equal(found.count, 1);
    const said *it = find_said(&found, "old-layout");
    assert_non_null(it);
    assert_int_equal(it->severity, SPEC_WARNING);
    assert_string_equal(it->where, at("vendors/acme/backend/spec"));
    assert_non_null(strstr(it->message, "older layout"));
    assert_non_null(strstr(it->mend, "spec_cpp/"));
  }
}

/* --- what is damaged ------------------------------------------------------------------------- */

static void test_a_lost_stage_is_made_again(void **state) {
  (void)state;
  char first[33], second[33];
  put("vendors/acme/backend/spec/x.h", "");
  (void)is_fresh(first);
  assert_int_equal(spec_fs_remove_tree(at("cache/stages"), NULL), SPEC_OK);
  assert_true(is_fresh(second));
  assert_string_equal(first, second);
  assert_int_equal(found.count, 1); /* told once */
}

static void test_a_damaged_memory_is_forgotten(void **state) {
  (void)state;
  char first[33], second[33], text[64 * 1024];
  spec_dirent *entries;
  size_t count;
  (void)is_fresh(first);
  assert_int_equal(spec_fs_list(arena, &entries, &count, at("cache/plans"), NULL), SPEC_OK);
  assert_int_equal(count, 1);
  const char *path = spec_arena_printf(arena, "cache/plans/%s", entries[0].name);
  (void)snprintf(text, sizeof text, "%s", text_of(path));
  const size_t cuts[] = {0, 1, 18, 19, 40, 60, 100, strlen(text) / 2, strlen(text) - 1};
  for (size_t i = 0; i < COUNT(cuts); i++) {
    put_bytes(path, text, cuts[i]);
    assert_false(is_fresh(second));
    assert_string_equal(first, second);
  }
  for (size_t i = 0; i < 200; i += 3) {
    char damaged[64 * 1024];
    memcpy(damaged, text, sizeof text);
    damaged[i] ^= 0x11;
    put(path, damaged);
    assert_false(is_fresh(second));
    assert_string_equal(first, second);
  }
}

/* --- several processes ----------------------------------------------------------------------- */

static void test_one_of_many_makes_it(void **state) {
  (void)state;
  enum { MANY = 8 };
  pid_t others[MANY];
  int fresh = 0;
  for (size_t i = 0; i < MANY; i++) {
    others[i] = fork();
    if (others[i] == 0) {
      spec_stage_hold stage;
      int rc = try_open(&stage, NULL);
      _exit(rc != SPEC_OK ? 2 : stage.fresh);
    }
  }
  for (size_t i = 0; i < MANY; i++) {
    int status;
    assert_int_equal(waitpid(others[i], &status, 0), others[i]);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    fresh += WEXITSTATUS(status);
  }
  assert_int_equal(fresh, 1);
  assert_int_equal(count_entries("cache/stages"), 2);
}

static bool hold(const void *user) {
  (void)user;
  spec_stage_hold stage;
  return try_open(&stage, NULL) == SPEC_OK;
}

/* Makes a stage that differs from all before. */
static void make_other(void) {
  static int number;
  char text[32], key[33];
  (void)snprintf(text, sizeof text, "other %d", number++);
  put("vendors/acme/spec/triton/runtime/jit.py", text);
  assert_true(is_fresh(key));
}

static void test_old_stages_go(void **state) {
  (void)state;
  char key[33];
  (void)is_fresh(key);
  make_other();
  assert_int_equal(count_entries("cache/stages"), 3); /* two stages and the lock: none is old */
  assert_int_equal(setenv("TRITON_SPEC_CACHE_DAYS", "0", 1), 0);
  make_other();
  assert_int_equal(count_entries("cache/stages"), 2);
}

static void test_old_memories_go(void **state) {
  (void)state;
  const struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};
  char key[33];
  put("cache/plans/0123", "");
  assert_int_equal(utimensat(AT_FDCWD, "cache/plans/0123", times, 0), 0);
  assert_true(is_fresh(key));
  assert_int_equal(access("cache/plans/0123", F_OK), -1);
  assert_int_equal(count_entries("cache/plans"), 1);
}

static void test_a_stage_in_use_stays(void **state) {
  (void)state;
  pid_t other = start_other(hold, NULL);
  spec_stage_hold stage = open_stage();
  assert_false(stage.fresh);
  const char *path = spec_arena_strdup(arena, stage.path);
  spec_stage_release(&stage);
  assert_int_equal(setenv("TRITON_SPEC_CACHE_DAYS", "0", 1), 0);
  make_other();
  assert_int_equal(access(path, F_OK), 0);
  kill_other(other); /* however a process ends, it lets go */
  make_other();
  assert_int_equal(access(path, F_OK), -1);
}

/* A hold passes to the children of a fork, and outlives the parent's own. */
static void test_forked_children_hold_too(void **state) {
  (void)state;
  int ends[2];
  spec_stage_hold stage = open_stage();
  const char *path = spec_arena_strdup(arena, stage.path);
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    char byte;
    (void)close(ends[1]);
    _exit(read(ends[0], &byte, 1) == 0 ? 0 : 1);
  }
  spec_stage_release(&stage);
  assert_int_equal(setenv("TRITON_SPEC_CACHE_DAYS", "0", 1), 0);
  make_other();
  assert_int_equal(access(path, F_OK), 0);
  (void)close(ends[1]);
  (void)close(ends[0]);
  assert_int_equal(waitpid(child, NULL, 0), child);
  make_other();
  assert_int_equal(access(path, F_OK), -1);
}

static void test_what_killed_runs_left(void **state) {
  (void)state;
  put("cache/stages/.0123.99.1.tmp/triton/x.py", "half");
  make_other();
  assert_int_equal(count_entries("cache/stages"), 2);
}

static bool hold_making(const void *user) {
  int lock;
  return spec_fs_hold(&lock, user, SPEC_HOLD_CREATE, NULL) == SPEC_OK;
}

static void test_half_made_stages_of_the_living_stay(void **state) {
  (void)state;
  put("cache/stages/.0123.99.1.tmp/triton/x.py", "half");
  pid_t other = start_other(hold_making, "cache/stages/.lock");
  make_other();
  assert_true(holds_text("cache/stages/.0123.99.1.tmp/triton/x.py", "half"));
  kill_other(other);
}

/* --- what cannot be done --------------------------------------------------------------------- */

static void test_a_cache_that_cannot_be_written(void **state) {
  (void)state;
  spec_stage_hold stage;
  spec_err err = {0};
  put("cache", "a file");
  assert_int_equal(try_open(&stage, &err), SPEC_EIO);
  assert_non_null(strstr(err.where, "/cache"));
  assert_non_null(strstr(err.mend, "TRITON_SPEC_CACHE"));
}

static void test_a_cache_among_its_sources(void **state) {
  (void)state;
  static const char *const places[] = {"trunk/triton/x", "vendors/acme/x", "trunk/triton"};
  for (size_t i = 0; i < COUNT(places); i++) {
    spec_err err = {0};
    spec_plan *plan;
    spec_stage_hold stage;
    assert_int_equal(plan_installed(&found, &plan, "acme", NULL), SPEC_OK);
    assert_int_equal(spec_package_publish(&stage, plan, at(places[i]), &err), SPEC_EINVAL);
    assert_non_null(strstr(err.mend, "TRITON_SPEC_CACHE"));
    spec_plan_free(plan);
    assert_int_equal(access("trunk/triton/x", F_OK), -1);
  }
}

static void test_days_that_are_no_number(void **state) {
  (void)state;
  static const char *const values[] = {"x", "-1", "1.5", "100001", "99999999999999999999"};
  size_t descriptors = count_descriptors();
  for (size_t i = 0; i < COUNT(values); i++) {
    spec_stage_hold stage;
    spec_err err = {0};
    assert_int_equal(setenv("TRITON_SPEC_CACHE_DAYS", values[i], 1), 0);
    put("vendors/acme/spec/triton/runtime/jit.py", values[i]);
    assert_int_equal(try_open(&stage, &err), SPEC_EINVAL);
    assert_non_null(strstr(err.what, values[i]));
  }
  assert_int_equal(count_descriptors(), descriptors);
}

static void test_places_of_the_cache(void **state) {
  (void)state;
  static const struct {
    const char *own, *xdg, *home, *wanted;
  } rows[] = {
      {"/a/b/../c", "/x", "/h", "/a/c"},
      {NULL, "/x", "/h", "/x/triton-spec"},
      {"", "", "/h", "/h/.cache/triton-spec"},
  };
  const char *out;
  for (size_t i = 0; i < COUNT(rows); i++) {
    (void)(rows[i].own == NULL ? unsetenv("TRITON_SPEC_CACHE")
                               : setenv("TRITON_SPEC_CACHE", rows[i].own, 1));
    (void)setenv("XDG_CACHE_HOME", rows[i].xdg, 1);
    (void)setenv("HOME", rows[i].home, 1);
    assert_int_equal(spec_cache_folder(arena, &out, NULL), SPEC_OK);
    assert_string_equal(out, rows[i].wanted);
  }
  spec_err err = {0};
  (void)unsetenv("HOME");
  assert_int_equal(spec_cache_folder(arena, &out, &err), SPEC_EINVAL);
  assert_non_null(strstr(err.mend, "TRITON_SPEC_CACHE"));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  spec_json_init();
  const struct CMUnitTest tests[] = {
      TEST(test_what_a_stage_holds),
      TEST(test_one_stage_for_one_key),
      TEST(test_dates),
      TEST(test_changes),
      TEST(test_no_changes),
      TEST(test_a_refused_overlay),
      TEST(test_findings_are_told_again),
      TEST(test_a_lost_stage_is_made_again),
      TEST(test_a_damaged_memory_is_forgotten),
      TEST(test_one_of_many_makes_it),
      TEST(test_old_stages_go),
      TEST(test_old_memories_go),
      TEST(test_a_stage_in_use_stays),
      TEST(test_a_cache_among_its_sources),
      TEST(test_forked_children_hold_too),
      TEST(test_what_killed_runs_left),
      TEST(test_half_made_stages_of_the_living_stay),
      TEST(test_a_cache_that_cannot_be_written),
      TEST(test_days_that_are_no_number),
      TEST(test_places_of_the_cache),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
