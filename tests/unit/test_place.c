/* Placing among targets: digests, swapped sources, owners, what is written. */
#define _XOPEN_SOURCE 700

#include "planning.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define APP                                                                        \
  "build @/build\ntarget app\ntype EXECUTABLE\ndir @/trunk/lib\nbin @/build/lib\n" \
  "includes @/trunk/include\nsources a.c\n"

/* --- digests -------------------------------------------------------------------------------- */

/* The digest of lib/a.c, in a scratch folder of another name each time. */
static const char *digest_of(const char *path, const char *text) {
  static char digests[8][33];
  static size_t next;
  void *state = NULL;
  assert_int_equal(enter_scratch(&state), 0);
  put("trunk/lib/a.c", "#include <h.h>\n#include <h.inc>\n#include <g.h>\n");
  put("trunk/include/h.h", "");
  put("trunk/include/h.inc", "");
  put("trunk/include/g.h", "");
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n");
  put_folder("vendors/base");
  put(path, text);
  json_t *manifest = placed(APP);
  const char *found = json_string_value(json_object_get(unit_of(manifest, "lib/a.c"), "digest"));
  char *out = digests[next++ % COUNT(digests)];
  (void)snprintf(out, sizeof digests[0], "%s", found);
  json_decref(manifest);
  assert_int_equal(leave_scratch(&state), 0);
  assert_int_equal(strlen(out), 16);
  return out;
}

static void test_digest(void **state) {
  (void)state;
  const char *first = digest_of("vendors/acme/spec_cpp/include/h.h", "vendor");
  /* The same, wherever it lies and whatever it holds. */
  assert_string_equal(digest_of("vendors/acme/spec_cpp/include/h.h", "vendor"), first);
  assert_string_equal(digest_of("vendors/acme/spec_cpp/include/h.h", "other"), first);
  /* Another for another layer, path or kind. */
  const char *others[] = {
      digest_of("vendors/base/spec_cpp/include/h.h", "vendor"),
      digest_of("vendors/acme/spec_cpp/include/g.h", "vendor"),
      digest_of("vendors/acme/spec_cpp/include/h.inc", "vendor"),
      first,
  };
  for (size_t i = 0; i < COUNT(others); i++)
    for (size_t k = 0; k < i; k++)
      assert_string_not_equal(others[i], others[k]);
}

/* --- sources -------------------------------------------------------------------------------- */

static void put_sources(void) {
  put("trunk/lib/a.c", "");
  put("trunk/lib/b.c", "");
  put("trunk/lib/c.c", "");
  put("vendors/acme/spec_cpp/lib/b.c", "vendor");
}

/* place.cmake holds the text, '@' replaced by the scratch folder. */
static void writes(const char *text) {
  char full[1024];
  size_t len = 0;
  for (; *text != '\0'; text++)
    len += (size_t)(*text == '@' ? snprintf(full + len, sizeof full - len, "%s", scratch())
                                 : snprintf(full + len, sizeof full - len, "%c", *text));
  assert_true(len < sizeof full);
  const char *place = text_of("out/place.cmake");
  if (strstr(place, full) == NULL)
    print_error("%s\nis not in\n%s", full, place);
  assert_non_null(strstr(place, full));
}

static void test_only_what_is_overridden_moves(void **state) {
  (void)state;
  put_sources();
  json_decref(placed("build @/b\ntarget app\ntype STATIC_LIBRARY\ndir @/trunk/lib\nbin @/b\n"
                     "sources a.c;b.c;@/trunk/lib/c.c\n"));
  writes("set_property(TARGET \"app\" PROPERTY SOURCES\n  \"a.c\"\n  \"@/out/stage/lib/b.c\"\n"
         "  \"@/trunk/lib/c.c\")\n");
}

static void test_generator_expressions_keep_their_shape(void **state) {
  (void)state;
  put_sources();
  json_decref(placed("build @/b\ntarget app\ntype OBJECT_LIBRARY\ndir @/trunk/lib\nbin @/b\n"
                     "sources $<$<CONFIG:Debug>:a.c;b.c>;$<1:$<IF:0,c.c,b.c>>\n"));
  writes("  \"\\$<\\$<CONFIG:Debug>:a.c;@/out/stage/lib/b.c>\"\n"
         "  \"\\$<1:\\$<IF:0,c.c,@/out/stage/lib/b.c>>\")\n");
}

static void test_interface_sources(void **state) {
  (void)state;
  put_sources();
  json_t *manifest =
      placed("build @/b\ntarget i\ntype INTERFACE_LIBRARY\ndir @/trunk/lib\nbin @/b\nisources "
             "@/trunk/lib/b.c\ntarget app\ntype EXECUTABLE\ndir @/trunk\nbin @/b\nlinks i\n");
  writes("set_property(TARGET \"i\" PROPERTY INTERFACE_SOURCES\n  \"@/out/stage/lib/b.c\")\n");
  assert_non_null(unit_of(manifest, "lib/b.c"));
  json_decref(manifest);
}

static void test_second_run_sees_what_the_first_swapped(void **state) {
  (void)state;
  put_sources();
  static const char again[] =
      "build @/b\ntarget app\ntype STATIC_LIBRARY\ndir @/trunk/lib\nbin @/b\n"
      "sources a.c;@/out/stage/lib/b.c\n";
  json_t *manifest = placed(again);
  const json_t *o = json_array_get(json_object_get(manifest, "overrides"), 0);
  assert_true(are_words(json_object_get(o, "owners"), "app"));
  assert_null(strstr(text_of("out/place.cmake"), "set_property(TARGET"));
  json_decref(manifest);
}

static void test_source_of_two_targets(void **state) {
  (void)state;
  put_sources();
  json_t *manifest =
      placed("build @/b\ntarget two\ntype EXECUTABLE\ndir @/trunk/lib\nbin @/b\nsources b.c\n"
             "target one\ntype MODULE_LIBRARY\ndir @/trunk\nbin @/b\nsources lib/b.c\n"
             "target no\ntype EXECUTABLE\ndir @/trunk/lib\nbin @/b\nsources a.c\n");
  const json_t *o = json_array_get(json_object_get(manifest, "overrides"), 0);
  assert_true(are_words(json_object_get(o, "owners"), "one two"));
  json_decref(manifest);
  assert_non_null(strstr(text_of("out/log.txt"), "SPEC: lib/b.c -> one\nSPEC: lib/b.c -> two\n"));
}

static void test_order_of_targets_does_not_change_the_log(void **state) {
  (void)state;
  put_sources();
  static const char one[] = "target one\ntype EXECUTABLE\ndir @/trunk/lib\nbin @/b\nsources b.c\n";
  static const char two[] = "target two\ntype EXECUTABLE\ndir @/trunk/lib\nbin @/b\nsources b.c\n";
  char targets[512], log[2048];
  (void)snprintf(targets, sizeof targets, "build @/b\n%s%s", one, two);
  json_decref(placed(targets));
  (void)snprintf(log, sizeof log, "%s", text_of("out/log.txt"));
  (void)snprintf(targets, sizeof targets, "build @/b\n%s%s", two, one);
  json_decref(placed(targets));
  assert_string_equal(text_of("out/log.txt"), log);
}

static void test_names_that_cmake_would_read_otherwise(void **state) {
  (void)state;
  put("trunk/lib/a%b#(c).c", "");
  put("vendors/acme/spec_cpp/lib/a%b#(c).c", "vendor");
  json_decref(placed("build @/b\ntarget a::b$\ntype EXECUTABLE\ndir @/trunk/lib\nbin @/b\n"
                     "sources a%b#(c).c\n"));
  writes("set_property(TARGET \"a::b\\$\" PROPERTY SOURCES\n  \"@/out/stage/lib/a%b#(c).c\")\n");
}

/* A file that is written again is another one: it is renamed into place. */
static ino_t inode_of(const char *path) {
  struct stat st;
  assert_int_equal(lstat(path, &st), 0);
  return st.st_ino;
}

static void test_same_run_twice_writes_nothing(void **state) {
  (void)state;
  put_sources();
  static const char targets[] =
      "build @/b\ntarget app\ntype EXECUTABLE\ndir @/trunk/lib\nbin @/b\nsources b.c\n";
  static const char *const paths[] = {"out/place.cmake", "out/log.txt", "out/manifest.json",
                                      "out/stage/lib/b.c"};
  ino_t first[COUNT(paths)];
  json_decref(placed(targets));
  for (size_t i = 0; i < COUNT(paths); i++)
    first[i] = inode_of(paths[i]);
  json_decref(placed(targets));
  for (size_t i = 0; i < COUNT(paths); i++)
    assert_int_equal(inode_of(paths[i]), first[i]);
}

int main(void) {
  spec_json_init();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_digest),
      IN_SCRATCH(test_only_what_is_overridden_moves),
      IN_SCRATCH(test_generator_expressions_keep_their_shape),
      IN_SCRATCH(test_interface_sources),
      IN_SCRATCH(test_second_run_sees_what_the_first_swapped),
      IN_SCRATCH(test_source_of_two_targets),
      IN_SCRATCH(test_order_of_targets_does_not_change_the_log),
      IN_SCRATCH(test_names_that_cmake_would_read_otherwise),
      IN_SCRATCH(test_same_run_twice_writes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
