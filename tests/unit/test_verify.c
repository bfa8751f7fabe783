/* What a build used, from records made here byte by byte: the deps log, build.ninja, the manifest.
 */
#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "ninja_build.h"
#include "ninja_deps.h"
#include "planning.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static findings found;

/* --- a deps log ------------------------------------------------------------------------------ */

static void put_word(spec_buf *log, uint32_t word) {
  spec_buf_add(log, (const char *)&word, sizeof word);
}

static void begin_log(spec_buf *log, uint32_t version) {
  spec_buf_str(log, "# ninjadeps\n");
  put_word(log, version);
}

/* Path records must come in the order of their ids. */
static void put_path(spec_buf *log, uint32_t id, const char *path) {
  size_t len = strlen(path), padded = (len + 3) / 4 * 4;
  put_word(log, (uint32_t)padded + 4);
  spec_buf_add(log, path, len);
  spec_buf_add(log, "\0\0\0", padded - len);
  put_word(log, ~id);
}

static void put_deps(spec_buf *log, uint32_t version, uint32_t output, const uint32_t *inputs,
                     size_t count) {
  size_t head = version == 3 ? 8 : 12;
  put_word(log, 0x80000000u | (uint32_t)(head + count * 4));
  put_word(log, output);
  put_word(log, 1);
  if (version != 3)
    put_word(log, 0);
  for (size_t i = 0; i < count; i++)
    put_word(log, inputs[i]);
}

static int parse_log(spec_arena *arena, spec_ninja_deps *out, const spec_buf *log, spec_err *err) {
  /* A copy whose end the sanitizer knows. */
  const char *copy = spec_arena_strndup(arena, spec_buf_text(log), log->len);
  return spec_ninja_deps_parse(arena, out, copy, log->len, "log", err);
}

static void test_both_versions_of_the_log(void **state) {
  (void)state;
  for (uint32_t version = 3; version <= 4; version++) {
    spec_arena *arena;
    spec_ninja_deps deps;
    spec_buf log = {0};
    assert_int_equal(spec_arena_new(&arena, NULL), 0);
    begin_log(&log, version);
    put_path(&log, 0, "a.o");
    put_path(&log, 1, "long/name.h");
    put_deps(&log, version, 0, (const uint32_t[]){1}, 1);
    put_path(&log, 2, "b.hh");
    put_deps(&log, version, 0, (const uint32_t[]){2, 1}, 2); /* replaces the first */
    assert_int_equal(parse_log(arena, &deps, &log, NULL), 0);
    assert_int_equal(deps.path_count, 3);
    assert_string_equal(deps.paths[1], "long/name.h");
    assert_int_equal(deps.input_counts[0], 2);
    assert_int_equal(deps.inputs[0][0], 2);
    assert_null(deps.inputs[1]);
    spec_buf_dispose(&log);
    spec_arena_free(arena);
  }
}

/* Whatever its length, a log that was cut off gives the whole records before the cut. */
static void test_a_log_cut_anywhere(void **state) {
  (void)state;
  spec_buf log = {0};
  begin_log(&log, 4);
  size_t head = log.len;
  put_path(&log, 0, "a.o");
  put_path(&log, 1, "x.h");
  size_t paths = log.len;
  put_deps(&log, 4, 0, (const uint32_t[]){1}, 1);
  for (size_t len = head; len <= log.len; len++) {
    spec_arena *arena;
    spec_ninja_deps deps;
    spec_buf cut = {0};
    assert_int_equal(spec_arena_new(&arena, NULL), 0);
    spec_buf_add(&cut, log.data, len);
    assert_int_equal(parse_log(arena, &deps, &cut, NULL), 0);
    if (len >= paths)
      assert_int_equal(deps.path_count, 2);
    if (deps.path_count > 0)
      assert_int_equal(deps.input_counts[0], len == log.len ? 1 : 0);
    spec_buf_dispose(&cut);
    spec_arena_free(arena);
  }
  spec_buf_dispose(&log);
}

static void test_logs_that_are_none(void **state) {
  (void)state;
  static const char *const texts[] = {"", "# ninja", "# ninjadepX\n\4\0\0\0", "# ninjadeps\n"};
  for (size_t i = 0; i < COUNT(texts); i++) {
    spec_arena *arena;
    spec_ninja_deps deps;
    spec_err err = {0};
    assert_int_equal(spec_arena_new(&arena, NULL), 0);
    assert_int_equal(
        spec_ninja_deps_parse(arena, &deps, texts[i], strlen(texts[i]), "here/log", &err),
        SPEC_EPARSE);
    assert_string_equal(err.where, "here/log");
    spec_arena_free(arena);
  }
  spec_buf log = {0};
  spec_arena *arena;
  spec_ninja_deps deps;
  spec_err err = {0};
  begin_log(&log, 5);
  assert_int_equal(spec_arena_new(&arena, NULL), 0);
  assert_int_equal(parse_log(arena, &deps, &log, &err), SPEC_EPARSE);
  assert_non_null(strstr(err.what, "version 5"));
  spec_buf_dispose(&log);
  spec_arena_free(arena);
}

/* --- build.ninja ----------------------------------------------------------------------------- */

static int no_include(void *user, const char *path, spec_err *err) {
  (void)user, (void)path;
  return spec_fail(err, SPEC_EINVAL, "nothing is included here");
}

static void test_outputs_of_build_statements(void **state) {
  (void)state;
  static const char text[] = "rule R\n  command = x\n"
                             "build a$ b.o c$:d | e.inc: CXX_COMPILER__T_Debug in.c || order\n"
                             "  FLAGS = -O2\n"
                             "build f.inc | ${w}f.inc: CUSTOM_COMMAND g.td $\n    h.td\n"
                             "  COMMAND = cd /x && tblgen -I /y g.td\n"
                             "builder = 1\n# build no: R\n"
                             "build last: phony";
  spec_arena *arena;
  spec_map *outputs;
  assert_int_equal(spec_arena_new(&arena, NULL), 0);
  assert_int_equal(spec_map_new(&outputs, arena, NULL), 0);
  assert_int_equal(
      spec_ninja_build_parse(arena, outputs, text, sizeof text - 1, no_include, NULL, NULL), 0);
  assert_int_equal(spec_map_count(outputs), 6);
  const spec_ninja_edge *edge = spec_map_get(outputs, "a b.o", NULL);
  assert_string_equal(edge->rule, "CXX_COMPILER__T_Debug");
  assert_null(edge->command);
  assert_ptr_equal(spec_map_get(outputs, "c:d", NULL), edge);
  assert_ptr_equal(spec_map_get(outputs, "e.inc", NULL), edge);
  edge = spec_map_get(outputs, "f.inc", NULL);
  assert_string_equal(edge->command, "cd /x && tblgen -I /y g.td");
  assert_non_null(spec_map_get(outputs, "last", NULL));
  spec_map_free(outputs);
  spec_arena_free(arena);
}

static void test_included_files_of_a_build(void **state) {
  (void)state;
  put("b/build.ninja", "include CMakeFiles/rules.ninja\nsubninja sub$ dir/x.ninja\nbuild a: R\n");
  put("b/CMakeFiles/rules.ninja", "build b: R\n");
  put("b/sub dir/x.ninja", "build c: R\n");
  spec_arena *arena;
  spec_map *outputs;
  spec_err err = {0};
  assert_int_equal(spec_arena_new(&arena, NULL), 0);
  assert_int_equal(spec_map_new(&outputs, arena, NULL), 0);
  assert_int_equal(spec_ninja_build_outputs(arena, outputs, at("b"), NULL), 0);
  assert_int_equal(spec_map_count(outputs), 3);
  assert_int_equal(spec_ninja_build_outputs(arena, outputs, at("elsewhere"), &err), SPEC_ENOTFOUND);
  put("b/build.ninja", "include build.ninja\n"); /* without end */
  assert_int_equal(spec_ninja_build_outputs(arena, outputs, at("b"), &err), SPEC_EPARSE);
  spec_map_free(outputs);
  spec_arena_free(arena);
}

/* --- a whole build --------------------------------------------------------------------------- */

/* A build folder whose overlay replaces include/X.h, used by target T. */
static void put_build(const char *kind, const char *trunk_path, const char *ninja) {
  char manifest[4096];
  (void)snprintf(manifest, sizeof manifest,
                 "{\"schema\":1,\"version\":\"0.1.0\",\"backend\":\"acme\",\"trunk\":\"%s/trunk\","
                 "\"layers\":[],\"overrides\":[{\"trunk\":\"%s\",\"kind\":\"%s\",\"action\":"
                 "\"replace\",\"layer\":\"acme\",\"overlay\":\"o\",\"vendor\":\"%s/v/X\","
                 "\"owners\":[\"T\"]}],\"unit_count\":1,\"units\":[]}",
                 scratch(), trunk_path, kind, scratch());
  put("b/spec/manifest.json", manifest);
  put("b/build.ninja", ninja);
  put("v/X", "vendor\n");
}

static void put_log(const char *input) {
  spec_buf log = {0};
  begin_log(&log, 4);
  put_path(&log, 0, "a.o");
  put_path(&log, 1, input);
  put_path(&log, 2, at("trunk/a.c"));
  put_deps(&log, 4, 0, (const uint32_t[]){2, 1}, 2);
  put_bytes("b/.ninja_deps", log.data, log.len);
  spec_buf_dispose(&log);
}

static int verify_build(spec_verification *out, spec_err *err) {
  found = (findings){0};
  return spec_build_verify(out, at("b"), remember, &found, err);
}

static const char object[] = "build a.o: C_COMPILER__T_Debug x.c\n";

static void test_an_override_that_was_read(void **state) {
  (void)state;
  spec_verification v;
  put("trunk/a.c", "");
  const char *const ways[] = {at("b/spec/stage/include/X.h"), "spec/stage/include/X.h", at("v/X")};
  for (size_t i = 0; i < COUNT(ways); i++) {
    put_build("header", "include/X.h", object);
    put_log(ways[i]);
    assert_int_equal(verify_build(&v, NULL), 0);
    assert_int_equal(v.overrides, 1);
    assert_int_equal(v.proved, 1);
    assert_non_null(strstr(text_of("b/spec/manifest.json"), "\"used_by\": [\n        \"a.o\"\n"));
  }
}

static void test_a_trunk_file_that_was_read_in_its_place(void **state) {
  (void)state;
  spec_verification v;
  put("trunk/a.c", "\n\n#include \"include/X.h\"\n");
  put("trunk/include/X.h", "");
  put_build("header", "include/X.h", object);
  put_log(at("trunk/include/X.h"));
  assert_int_equal(verify_build(&v, NULL), SPEC_EREFUSED);
  const said *it = find_said(&found, "shadowed");
  assert_non_null(it);
  assert_string_equal(it->where, at("trunk/a.c:3"));
  assert_non_null(strstr(it->message, "'a.o'"));
  assert_non_null(strstr(it->message, "'include/X.h'"));
  /* The record of an output that nothing makes now says nothing. */
  put_build("header", "include/X.h", "build b.o: C_COMPILER__U_Debug x.c\n");
  assert_int_equal(verify_build(&v, NULL), SPEC_EREFUSED);
  assert_null(find_said(&found, "shadowed"));
}

static void test_an_override_that_nothing_read(void **state) {
  (void)state;
  spec_verification v;
  put("trunk/a.c", "");
  put_build("header", "include/X.h", object);
  put_log(at("trunk/a.c"));
  assert_int_equal(verify_build(&v, NULL), SPEC_EREFUSED);
  assert_non_null(find_said(&found, "not-read"));
  /* While an object of its owner is not built, nothing is said. */
  put_build("header", "include/X.h",
            "build a.o: C_COMPILER__T_Debug x.c\nbuild b.o: C_COMPILER__T_Debug y.c\n");
  assert_int_equal(verify_build(&v, NULL), 0);
  assert_int_equal(v.pending, 1);
}

static void test_tablegen_rules_by_their_commands(void **state) {
  (void)state;
  spec_verification v;
  char ninja[4096];
  static const char *const tools[] = {"mlir-tblgen", "%s/b/spec/tblgen/0/tblgen mlir-tblgen"};
  put("trunk/inc/Ops.td", "\ninclude \"Base.td\"\n");
  put("trunk/inc/Base.td", "");
  put("b/spec/stage/inc/Base.td", "");
  for (size_t i = 0; i < COUNT(tools); i++) {
    char tool[1024];
    (void)snprintf(tool, sizeof tool, "%s", tools[i]);
    if (i == 1)
      (void)snprintf(tool, sizeof tool, "%s/b/spec/tblgen/0/tblgen mlir-tblgen", scratch());
    (void)snprintf(ninja, sizeof ninja,
                   "build o.inc: CUSTOM_COMMAND x\n  COMMAND = cd %s/b && %s -gen -I%s/trunk/inc "
                   "%s/trunk/inc/Ops.td -o o.inc\n",
                   scratch(), tool, scratch(), scratch());
    put_build("td", "inc/Base.td", ninja);
    int rc = verify_build(&v, NULL);
    assert_int_equal(rc, i == 0 ? SPEC_EREFUSED : 0);
    const said *it = find_said(&found, "shadowed");
    if (i == 0)
      assert_string_equal(it->where, at("trunk/inc/Ops.td:2"));
    else
      assert_int_equal(v.proved, 1);
  }
}

static void test_builds_that_say_nothing(void **state) {
  (void)state;
  spec_verification v;
  spec_err err = {0};
  assert_int_equal(verify_build(&v, &err), SPEC_ENOTFOUND);
  put("b/build.ninja", object);
  assert_int_equal(verify_build(&v, &err), SPEC_ENOTFOUND);
  assert_non_null(strstr(err.what, "without an overlay"));
  put("b/spec/manifest.json", "{");
  assert_int_equal(verify_build(&v, &err), SPEC_EPARSE);
}

/* An error that names the place, or the proof; the manifest is the old one or the new one. */
static void fail_each_call(int number) {
  static char before[4096], after[8192];
  spec_verification v;
  put_build("header", "include/X.h", object);
  (void)snprintf(before, sizeof before, "%s", text_of("b/spec/manifest.json"));
  assert_int_equal(verify_build(&v, NULL), 0);
  (void)snprintf(after, sizeof after, "%s", text_of("b/spec/manifest.json"));
  size_t descriptors = count_descriptors(), failures = 0;
  bool reached = true;
  for (size_t n = 1; reached; n++) {
    put_build("header", "include/X.h", object);
    spec_err err = {0};
    (void)spec_fs_fail_at(n, number);
    int rc = verify_build(&v, &err);
    reached = spec_fs_fail_at(0, 0) >= n;
    failures += rc != 0;
    assert_true(rc == 0 || (rc == SPEC_EIO && err.what[0] != '\0' && err.where[0] != '\0'));
    assert_true(holds_text("b/spec/manifest.json", rc == 0 ? after : before) || rc != 0);
    assert_true(holds_text("b/spec/manifest.json", before) ||
                holds_text("b/spec/manifest.json", after));
    assert_int_equal(count_entries("b/spec"), 2); /* the manifest and the lock */
    assert_int_equal(count_descriptors(), descriptors);
  }
  assert_true(failures > 15);
}

static void test_a_system_that_fails(void **state) {
  (void)state;
  put("trunk/a.c", "");
  put_log(at("b/spec/stage/include/X.h"));
  fail_each_call(EIO);
  fail_each_call(ENOSPC);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_both_versions_of_the_log),
      cmocka_unit_test(test_a_log_cut_anywhere),
      cmocka_unit_test(test_logs_that_are_none),
      cmocka_unit_test(test_outputs_of_build_statements),
      IN_SCRATCH(test_included_files_of_a_build),
      IN_SCRATCH(test_an_override_that_was_read),
      IN_SCRATCH(test_a_trunk_file_that_was_read_in_its_place),
      IN_SCRATCH(test_an_override_that_nothing_read),
      IN_SCRATCH(test_tablegen_rules_by_their_commands),
      IN_SCRATCH(test_builds_that_say_nothing),
      IN_SCRATCH(test_a_system_that_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
