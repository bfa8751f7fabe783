/* From a backend's name to its layers, and spec.ini. */
#include "core/backend.h"
#include "planning.h"

#include <stdio.h>
#include <string.h>

static spec_arena *arena;
static spec_err err;

static int set_up(void **state) {
  err = (spec_err){0};
  return enter_scratch(state) < 0 ? -1 : spec_arena_new(&arena, NULL);
}

static int tear_down(void **state) {
  spec_arena_free(arena);
  return leave_scratch(state);
}

static int layers_of(spec_backend **out, size_t *count, const char *name) {
  const char *const roots[] = {at("a"), at("b")};
  return spec_backend_layers(arena, out, count, name, roots, 2, &err);
}

static void fails(const char *name, int code, const char *what, const char *mend) {
  spec_backend *layers;
  size_t count;
  err = (spec_err){0};
  int rc = layers_of(&layers, &count, name);
  if (rc != code)
    print_error("'%s': %d %s\n", name, rc, err.what);
  assert_int_equal(rc, code);
  assert_int_equal(err.code, code);
  assert_non_null(strstr(err.what, what));
  assert_non_null(strstr(err.mend, mend));
}

/* --- finding -------------------------------------------------------------------------------- */

static void test_layers_come_base_first(void **state) {
  (void)state;
  put("a/top/spec.ini", "[backend]\nbase = middle\n");
  put("b/middle/spec.ini", "[backend]\nbase = bottom\n");
  put_folder("a/bottom");
  spec_backend *layers;
  size_t count;
  assert_int_equal(layers_of(&layers, &count, "top"), SPEC_OK);
  assert_int_equal(count, 3);
  assert_string_equal(layers[0].name, "bottom");
  assert_string_equal(layers[1].dir, at("b/middle"));
  assert_string_equal(layers[2].base, "middle");
  assert_null(layers[0].base);
}

static void test_bad_names(void **state) {
  (void)state;
  static const char *const names[] = {"",    ".",   "..",  "a-b", "Acme",        "/tmp",     "a/b",
                                      "a b", "a;b", "a.b", "a\n", "caf\xc3\xa9", "../a/acme"};
  put_folder("a/acme/spec_cpp");
  for (size_t i = 0; i < COUNT(names); i++)
    fails(names[i], SPEC_EINVAL, "[a-z0-9_]+", "backends found: acme");
}

static void test_absent(void **state) {
  (void)state;
  put_folder("a/acme/spec_cpp");
  put_folder("b/mini/spec");
  put_folder("b/no_backend");
  put("b/file", "");
  fails("other", SPEC_ENOTFOUND, "'other' does not exist", "backends found: acme, mini");
  assert_null(strstr(err.mend, "no_backend"));
  fails("file", SPEC_ENOTFOUND, "'file' does not exist", "backends found: acme, mini");
}

static void test_no_roots_at_all(void **state) {
  (void)state;
  fails("acme", SPEC_ENOTFOUND, "does not exist", "no backend was found in");
}

static void test_two_roots_hold_it(void **state) {
  (void)state;
  put_folder("a/acme");
  put_folder("b/acme");
  fails("acme", SPEC_EAMBIGUOUS, "two overlay roots", "remove one of the two");
}

static void test_one_folder_through_two_roots(void **state) {
  (void)state;
  put_folder("a/acme");
  put_link("a", "b");
  spec_backend *layers;
  size_t count;
  assert_int_equal(layers_of(&layers, &count, "acme"), SPEC_OK);
  assert_string_equal(layers[0].dir, at("a/acme"));
}

static void test_plugin_names_itself(void **state) {
  (void)state;
  put("a/backend/name.conf", "  acme \n");
  spec_backend *layers;
  size_t count;
  assert_int_equal(layers_of(&layers, &count, "acme"), SPEC_OK);
  assert_string_equal(layers[0].dir, at("a"));
  fails("acm", SPEC_ENOTFOUND, "does not exist", "no backend");
}

static void test_base_cycles(void **state) {
  (void)state;
  put("a/one/spec.ini", "[backend]\nbase = two\n");
  put("a/two/spec.ini", "[backend]\nbase = one\n");
  put("a/self/spec.ini", "[backend]\nbase = self\n");
  fails("one", SPEC_EPARSE, "'one' is its own base", "");
  assert_string_equal(err.where, at("a/one/spec.ini"));
  fails("self", SPEC_EPARSE, "'self' is its own base", "");
}

static void test_sixteen_layers_and_no_more(void **state) {
  (void)state;
  for (int i = 0; i < 17; i++) {
    char path[64], text[64];
    (void)snprintf(path, sizeof path, "a/l%d/spec.ini", i);
    (void)snprintf(text, sizeof text, "[backend]\nbase = l%d\n", i + 1);
    put(path, i == 16 ? "" : text);
  }
  spec_backend *layers;
  size_t count;
  assert_int_equal(layers_of(&layers, &count, "l1"), SPEC_OK);
  assert_int_equal(count, 16);
  fails("l0", SPEC_EINVAL, "more than 16 layers", "");
}

static void test_base_must_be_a_name_too(void **state) {
  (void)state;
  put("a/acme/spec.ini", "[backend]\nbase = ../acme\n");
  fails("acme", SPEC_EINVAL, "'../acme' is not a valid name", "");
  put("a/acme/spec.ini", "[backend]\nbase =\n");
  fails("acme", SPEC_EINVAL, "'' is not a valid name", "");
}

/* --- spec.ini ------------------------------------------------------------------------------- */

static int parse(spec_backend *out, const char *text, size_t len) {
  *out = (spec_backend){0};
  err = (spec_err){0};
  /* A copy whose end the sanitizer knows. */
  return spec_backend_parse(arena, out, spec_arena_strndup(arena, text, len), len, "f.ini", &err);
}

static void test_settings_in_order(void **state) {
  (void)state;
  static const char text[] = "; a comment\n"
                             "[backend]\n"
                             "base = mini ; why\n"
                             "[remove]\n"
                             "path = lib/a.c\r\n"
                             "path: lib/b c.c\n"
                             "\n"
                             "[policy]\n"
                             "triton/knobs.py = whole\n"
                             "[drift]\n"
                             "mode = warn\n"
                             "[device]\n"
                             "anything = at all\n"
                             "anything = again";
  spec_backend b;
  assert_int_equal(parse(&b, text, strlen(text)), SPEC_OK);
  assert_string_equal(b.base, "mini");
  assert_int_equal(b.setting_count, 7);
  assert_string_equal(b.settings[1].value, "lib/a.c");
  assert_string_equal(b.settings[2].value, "lib/b c.c");
  assert_string_equal(b.settings[3].key, "triton/knobs.py");
  assert_string_equal(b.settings[6].value, "again");
}

static void test_empty_files(void **state) {
  (void)state;
  static const char *const texts[] = {"", "\n", "\xef\xbb\xbf", "# only\n", "[backend]\n", "\r\n"};
  spec_backend b;
  for (size_t i = 0; i < COUNT(texts); i++) {
    assert_int_equal(parse(&b, texts[i], strlen(texts[i])), SPEC_OK);
    assert_int_equal(b.setting_count, 0);
  }
}

static void test_refused_lines(void **state) {
  (void)state;
  static const struct {
    const char *text, *where, *what;
  } rows[] = {
      {"[backend]\nbasse = x\n[device]\nfine = 1\n", "f.ini:2", "knows only 'base'"},
      {"[backend]\nbase = x\nbase = y\n", "f.ini:3", "set twice"},
      {"[policy]\na.py = whole\na.py = merge\n", "f.ini:3", "set twice"},
      {"[policy]\na.py = open\n", "f.ini:2", "'whole', 'merge' or 'closed'"},
      {"[policy]\n../a.py = whole\n", "f.ini:2", "without '..'"},
      {"[policy]\n/a.py = whole\n", "f.ini:2", "without '..'"},
      {"[remove]\nfile = a.c\n", "f.ini:2", "knows only 'path'"},
      {"[remove]\npath = ../a.c\n", "f.ini:2", "without '..'"},
      {"[remove]\npath = a/../../b.c\n", "f.ini:2", "without '..'"},
      {"[remove]\npath = /a.c\n", "f.ini:2", "relative to the trunk"},
      {"[remove]\npath = a//b.c\n", "f.ini:2", "relative to the trunk"},
      {"[remove]\npath = ./a.c\n", "f.ini:2", "relative to the trunk"},
      {"[remove]\npath = a/\n", "f.ini:2", "relative to the trunk"},
      {"[remove]\npath =\n", "f.ini:2", "relative to the trunk"},
      {"[drift]\nmode = loud\n", "f.ini:2", "'ignore', 'warn' or 'error'"},
      {"[drift]\nmod = warn\n", "f.ini:2", "knows only 'mode'"},
      {"[Backend]\nbase = x\n", "f.ini:2", "the sections are"},
      {"base = x\n", "f.ini:1", "the sections are"},
      {"[backend]\nnonsense\n[device]\na = 1\n", "f.ini:2", "neither '[section]' nor"},
      {"[backend\nbase = x\n", "f.ini:1", "neither '[section]' nor"},
  };
  spec_backend b;
  for (size_t i = 0; i < COUNT(rows); i++) {
    assert_int_equal(parse(&b, rows[i].text, strlen(rows[i].text)), SPEC_EPARSE);
    if (strstr(err.what, rows[i].what) == NULL || strcmp(err.where, rows[i].where) != 0)
      print_error("%s -> %s: %s\n", rows[i].text, err.where, err.what);
    assert_string_equal(err.where, rows[i].where);
    assert_non_null(strstr(err.what, rows[i].what));
  }
}

static void test_long_lines_and_nul(void **state) {
  (void)state;
  char text[4096] = "[device]\nkey = ";
  size_t start = strlen(text);
  spec_backend b;
  /* Exactly as long as can be read, with and without an end of line; then a byte longer. */
  size_t fits = 199 - strlen("key = ");
  memset(text + start, 'v', sizeof text - start);
  assert_int_equal(parse(&b, text, start + fits), SPEC_OK);
  assert_int_equal(strlen(b.settings[0].value), fits);
  text[start + fits - 1] = '\n';
  assert_int_equal(parse(&b, text, start + fits), SPEC_OK);
  assert_int_equal(strlen(b.settings[0].value), fits - 1);
  text[start + fits - 1] = 'v';
  assert_int_equal(parse(&b, text, start + fits + 1), SPEC_EPARSE);
  assert_string_equal(err.where, "f.ini:2");
  assert_int_equal(parse(&b, "[device]\n\na = b\0c\n", 18), SPEC_EPARSE);
  assert_string_equal(err.where, "f.ini:3");
  assert_non_null(strstr(err.what, "NUL"));
}

static void test_unreadable_spec_ini(void **state) {
  (void)state;
  put_folder("a/acme/spec.ini");
  fails("acme", SPEC_EIO, "spec.ini", "");
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_layers_come_base_first),
      TEST(test_bad_names),
      TEST(test_absent),
      TEST(test_no_roots_at_all),
      TEST(test_two_roots_hold_it),
      TEST(test_one_folder_through_two_roots),
      TEST(test_plugin_names_itself),
      TEST(test_base_cycles),
      TEST(test_sixteen_layers_and_no_more),
      TEST(test_base_must_be_a_name_too),
      TEST(test_settings_in_order),
      TEST(test_empty_files),
      TEST(test_refused_lines),
      TEST(test_long_lines_and_nul),
      TEST(test_unreadable_spec_ini),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
