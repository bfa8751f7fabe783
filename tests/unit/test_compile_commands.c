/* A compilation database for editors, from one made here; with every allocation failing in turn. */
#include "base/err.h"
#include "base/json.h"
#include "command.h"
#include "compile_commands.h"
#include "planning.h"

#include <stdio.h>
#include <string.h>

/* '@' stands for the scratch folder. */
static void put_here(const char *path, const char *text) {
  spec_buf full = {0};
  for (; *text != '\0'; text++)
    if (*text == '@')
      spec_buf_str(&full, scratch());
    else
      spec_buf_char(&full, *text);
  put(path, spec_buf_text(&full));
  spec_buf_dispose(&full);
}

static void put_build(void) {
  put("v/A.c", "");
  put("v/X.h", "");
  put("t/lib/B.c", "");
  put_folder("b/spec/stage/lib");
  put_link(at("v/A.c"), "b/spec/stage/lib/A.c");
  put_link(at("t/lib/B.c"), "b/spec/stage/lib/B.c");
  put_here("b/spec/plan.cmake", "x\n");
  put_here("b/spec/manifest.json",
           "{\"trunk\": \"@/t\", \"overrides\": ["
           "{\"trunk\": \"lib/A.c\", \"kind\": \"source\", \"action\": \"replace\", \"vendor\": "
           "\"@/v/A.c\"}, {\"trunk\": \"lib/X.h\", \"kind\": \"header\", \"action\": \"replace\", "
           "\"vendor\": \"@/v/X.h\"}],"
           "\"units\": [{\"source\": \"lib/B.c\", \"digest\": \"0123456789abcdef\", \"overrides\": "
           "[\"lib/X.h\"]}]}");
  put_here("b/compile_commands.json",
           "[{\"directory\": \"@/b\", \"command\": \"cc -DX -o a.o -c spec/stage/lib/A.c\", "
           "\"file\": \"@/b/spec/stage/lib/A.c\"},"
           "{\"directory\": \"@/b\", \"command\": \"cc -DTRITON_SPEC_DIGEST=0x0123456789abcdef "
           "-o b.o -c @/b/spec/stage/lib/B.c\", \"file\": \"@/b/spec/stage/lib/B.c\"},"
           "{\"directory\": \"@/b\", \"command\": \"cc -c @/t/C.c\", \"file\": \"@/t/C.c\"}]");
}

static bool has_entry(const char *file, const char *command) {
  json_t *made = json_loads(text_of("b/spec/compile_commands.json"), 0, NULL), *entry;
  bool found = false;
  size_t i;
  json_array_foreach (made, i, entry) {
    const char *name = json_string_value(json_object_get(entry, "file"));
    const char *text = json_string_value(json_object_get(entry, "command"));
    found |= name != NULL && strcmp(name, at(file)) == 0 && strstr(text, command) != NULL;
  }
  json_decref(made);
  return found;
}

static void test_entries(void **state) {
  (void)state;
  put_build();
  assert_int_equal(spec_build_compile_commands("b", NULL), 0);
  assert_true(has_entry("v/A.c", "cc -iquote "));
  assert_true(has_entry("v/A.c", "/b/spec/stage/lib -DX -o a.o -c /"));
  assert_false(has_entry("b/spec/stage/lib/A.c", ""));
  assert_true(has_entry("b/spec/stage/lib/B.c", "cc -DTRITON"));
  assert_true(has_entry("t/lib/B.c", "cc -iquote "));
  assert_true(has_entry("t/C.c", "cc -c "));
  assert_true(has_entry("v/X.h", "=0x0123456789abcdef -fsyntax-only -x c-header "));
}

static void test_a_command_that_does_not_name_its_file(void **state) {
  (void)state;
  put_build();
  put_here("b/compile_commands.json", "[{\"directory\": \"@/b\", \"command\": \"cc --all\", "
                                      "\"file\": \"@/b/spec/stage/lib/A.c\"}, 7]");
  assert_int_equal(spec_build_compile_commands("b", NULL), 0);
  assert_false(has_entry("v/A.c", ""));
}

static void test_definitions(void **state) {
  (void)state;
  assert_string_equal(spec_command_define("cc -DAB=1 -DB=2 x", "B"), "2 x");
  assert_null(spec_command_define("cc B=2 -DB", "B"));
}

static void test_each_allocation_fails(void **state) {
  (void)state;
  put_build();
  for (size_t n = 1;; n++) {
    spec_err err = {0};
    (void)remove("b/spec/compile_commands.json");
    (void)spec_alloc_fail_at(n);
    int rc = spec_build_compile_commands("b", &err);
    if (spec_alloc_fail_at(0) < n) {
      assert_int_equal(rc, 0);
      assert_true(n > 20);
      break;
    }
    if (rc != SPEC_ENOMEM)
      print_error("allocation %zu: %d %s\n", n, rc, err.what);
    assert_int_equal(rc, SPEC_ENOMEM);
  }
  assert_true(has_entry("v/A.c", "-iquote"));
}

static void test_files_that_do_not_parse(void **state) {
  (void)state;
  spec_err err = {0};
  put_build();
  put("b/spec/manifest.json", "{");
  assert_int_equal(spec_build_compile_commands("b", &err), SPEC_EPARSE);
  assert_non_null(strstr(err.where, "manifest.json:1"));
}

int main(void) {
  spec_json_init();
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_entries),
      IN_SCRATCH(test_a_command_that_does_not_name_its_file),
      IN_SCRATCH(test_definitions),
      IN_SCRATCH(test_each_allocation_fails),
      IN_SCRATCH(test_files_that_do_not_parse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
