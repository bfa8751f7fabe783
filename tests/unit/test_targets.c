/* The target list, CMake lists in it, and what a target inherits. */
#include "unit.h"
#include "usage.h"

#include <stdio.h>
#include <string.h>

static spec_arena *arena;
static spec_err err;
static spec_targets targets;

static int set_up(void **state) {
  (void)state;
  err = (spec_err){0};
  targets = (spec_targets){0};
  return spec_arena_new(&arena, NULL);
}

static int tear_down(void **state) {
  (void)state;
  if (targets.by_name != NULL)
    spec_targets_dispose(&targets);
  spec_arena_free(arena);
  return 0;
}

/* --- lists ---------------------------------------------------------------------------------- */

/* The items, each followed by '|'. */
static const char *joined(const spec_list *list) {
  char *out = spec_arena_strdup(arena, "");
  for (size_t i = 0; i < list->count; i++)
    out = spec_arena_printf(arena, "%s%s|", out, list->items[i]);
  return out;
}

static void test_split(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"", ""},
      {";", ""},
      {"a", "a|"},
      {"a;b", "a|b|"},
      {";a;;b;", "a|b|"},
      {"a b;c", "a b|c|"},
      {"$<1:a;b>;c", "$<1:a;b>|c|"},
      {"$<$<AND:1,$<BOOL:x;y>>:a;b>;c>;d", "$<$<AND:1,$<BOOL:x;y>>:a;b>|c>|d|"},
      {"$<1:a>$<0:b;c>;d", "$<1:a>$<0:b;c>|d|"},
      {"a>b;c", "a>b|c|"},     /* not within an expression */
      {"$<1:a;b", "$<1:a;b|"}, /* never closed */
      {"$;a", "$|a|"},
      {"$", "$|"},
      {"<;>", "<|>|"},
      {"[a;b];c", "[a;b]|c|"},
      {"a];b", "a]|b|"},
      {"-D[;b;c", "-D[;b;c|"}, /* as CMake has it */
      {"a\\;b;c\\d", "a\\;b|c\\d|"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    spec_list list;
    assert_int_equal(spec_list_split(arena, &list, rows[i][0], strlen(rows[i][0]), &err), 0);
    assert_string_equal(joined(&list), rows[i][1]);
  }
}

static int collect(void *user, const char *part, size_t len, spec_err *e) {
  (void)e;
  char **out = user;
  *out = spec_arena_printf(arena, "%s%.*s|", *out, (int)len, part);
  return 0;
}

static void test_parts(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"a.c", "a.c|"},
      {"a,b:c", "a,b:c|"},
      {"$<1:a.c>", "1|a.c|"},
      {"$<$<BOOL:1>:a.c;b.c>", "BOOL|1|a.c|b.c|"},
      {"/x/$<CONFIG>/a.c", "/x/|CONFIG|/a.c|"},
      {"$<>", ""},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    char *out = spec_arena_strdup(arena, "");
    assert_int_equal(spec_usage_parts(rows[i][0], collect, &out, &err), 0);
    assert_string_equal(out, rows[i][1]);
  }
}

/* --- the target list ------------------------------------------------------------------------ */

static int parse(const char *text) {
  return spec_targets_parse(arena, &targets, text, strlen(text), "list", &err);
}

static const spec_target *target(const char *name) {
  const spec_target *t = spec_map_get(targets.by_name, name, NULL);
  assert_non_null(t);
  return t;
}

static void test_all_keywords(void **state) {
  (void)state;
  assert_int_equal(
      parse("build /b\nproject /p\nflags -O2 -g\nconfigs Debug;Release\ncmake /t/x.cmake\n"
            "td include/A.td\tAIncGen\nalias X::A\tA\naddition A\tlib/n.c\nneeds A\n"
            "\r\n"
            "target A\r\ntype STATIC_LIBRARY\ndir /t\nbin /b\ncurrent ON\n"
            "sources a.c;b.c\nisources i.c\nincludes /i\niincludes /ii\nlinks B\n"
            "ilinks C\noptions -x\npch <p.h>\nipch i.h\nsource a.c\t/own;/own2\n"
            "unity ON\nsolo b.c\n"
            "target B\ntype UTILITY\n"
            "utilities C;D\nneeds E\n"),
      SPEC_OK);
  assert_string_equal(targets.build, "/b");
  assert_string_equal(targets.project, "/p");
  assert_string_equal(targets.flags, "-O2 -g");
  assert_string_equal(joined(&targets.configs), "Debug|Release|");
  assert_int_equal(targets.count, 4);
  assert_string_equal(target("D")->type, "UTILITY");
  assert_string_equal(targets.needs.items[1], "E");
  assert_string_equal(targets.tds[0].second, "AIncGen");
  assert_string_equal(targets.additions[0].second, "lib/n.c");
  assert_string_equal(targets.needs.items[0], "A");
  assert_string_equal(targets.cmakes.items[0], "/t/x.cmake");
  const spec_target *a = target("A");
  assert_ptr_equal(target("X::A"), a);
  assert_true(a->current);
  assert_string_equal(joined(&a->sources), "a.c|b.c|");
  assert_string_equal(joined(&a->ilinks), "C|");
  const spec_list *own = spec_map_get(a->source_includes, "a.c", NULL);
  assert_string_equal(joined(own), "/own|/own2|");
  assert_string_equal(joined(&a->ipch), "i.h|");
  assert_true(a->unity);
  assert_ptr_equal(spec_map_get(a->solo, "b.c", NULL), a);
  assert_null(spec_map_get(a->solo, "a.c", NULL));
  assert_false(target("B")->current || target("B")->unity);
  assert_string_equal(target("B")->dir, "");
}

static void test_lines_that_do_not_parse(void **state) {
  (void)state;
  static const char *const rows[][3] = {
      {"nonsense x\n", "list:1", "unknown keyword 'nonsense'"},
      {"build /b\n\nsources a.c\n", "list:3", "unknown keyword 'sources'"},
      {"build /b\nmuchtoolongforakeyword x\n", "list:2", "is no keyword"},
      {"td onlyone\n", "list:1", "a tab between"},
      {"td \tsecond\n", "list:1", "a tab between"},
      {"td first\t\n", "list:1", "a tab between"},
      {"alias a b\n", "list:1", "a tab between"},
      {"target A\nsource a.c\n", "list:2", "a tab between"},
      {" build /b\n", "list:1", "unknown keyword ''"},
      {"Build /b\n", "list:1", "unknown keyword 'Build'"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    assert_int_equal(parse(rows[i][0]), SPEC_EPARSE);
    assert_string_equal(err.where, rows[i][1]);
    assert_non_null(strstr(err.what, rows[i][2]));
  }
  assert_int_equal(spec_targets_parse(arena, &targets, "target A\0B\n", 11, "list", &err),
                   SPEC_EPARSE);
  assert_non_null(strstr(err.what, "NUL"));
}

static void test_alias_of_nothing(void **state) {
  (void)state;
  assert_int_equal(parse("alias X::A\tA\n"), SPEC_OK);
  assert_null(spec_map_get(targets.by_name, "X::A", NULL));
}

/* --- what a target inherits ----------------------------------------------------------------- */

static const char *includes_of(const char *name) {
  spec_list list;
  assert_int_equal(spec_usage_includes(arena, &list, &targets, target(name), &err), SPEC_OK);
  return joined(&list);
}

static void test_order_of_include_folders(void **state) {
  (void)state;
  assert_int_equal(parse("flags -O2 -I/flag -isystem rel\n"
                         "target A\ntype EXECUTABLE\ndir /t/lib\nbin /b/lib\ncurrent ON\n"
                         "includes own;/abs/../abs2\nlinks B;m;X::C\noptions -I;opt;-iquote/q\n"
                         "target B\ntype STATIC_LIBRARY\ndir /t/b\nbin /b/b\nincludes /private\n"
                         "iincludes /b-face\nlinks D\nilinks C\n"
                         "target C\ntype INTERFACE_LIBRARY\ndir /t/c\nbin /b/c\niincludes rel-c\n"
                         "target D\ntype STATIC_LIBRARY\ndir /t/d\nbin /b/d\niincludes /d-face\n"
                         "alias X::C\tC\n"),
                   SPEC_OK);
  assert_string_equal(includes_of("A"), "/b/lib|/t/lib|/t/lib/own|/abs2|/b-face|/t/c/rel-c|"
                                        "/q|/t/lib/opt|/flag|/t/lib/rel|");
}

static void test_generator_expressions_in_include_folders(void **state) {
  (void)state;
  assert_int_equal(parse("target A\ntype EXECUTABLE\ndir /t\nbin /b\n"
                         "includes $<BUILD_INTERFACE:/t/include>;$<INSTALL_INTERFACE:include>\n"
                         "links $<LINK_ONLY:B>;$<1:C>\n"
                         "target B\ntype STATIC_LIBRARY\niincludes /not-inherited\n"
                         "target C\ntype STATIC_LIBRARY\niincludes /inherited\n"),
                   SPEC_OK);
  const char *found = includes_of("A");
  assert_non_null(strstr(found, "/t/include|"));
  assert_non_null(strstr(found, "/inherited|"));
  assert_null(strstr(found, "/not-inherited"));
}

static void test_system_folders_come_last(void **state) {
  (void)state;
  assert_int_equal(
      parse("flags -isystem /flag -idirafter /after\n"
            "target A\ntype EXECUTABLE\ndir /t\nincludes /one;/flag;/two\nlinks S;L;M\n"
            "options -I/three;-isystem;/two\n"
            "target S\ntype INTERFACE_LIBRARY\ndir /s\niincludes /s/i;/s/j\n"
            "isystem /s/i\n"
            "target L\ntype INTERFACE_LIBRARY\ndir /l\niincludes /l/i\nsystem ON\n"
            "target M\ntype INTERFACE_LIBRARY\ndir /m\niincludes /m/i\n"),
      SPEC_OK);
  assert_string_equal(includes_of("A"),
                      "/one|/s/j|/m/i|/three|/flag|/two|/s/i|/l/i|/two|/flag|/after|");
}

static void test_build_types_in_include_folders(void **state) {
  (void)state;
  static const char target[] = "target A\ntype EXECUTABLE\ndir /t\n"
                               "includes /b/$<CONFIG>/i$<CONFIG>;$<BUILD_INTERFACE:/c/$<CONFIG>>\n";
  char text[256];
  (void)snprintf(text, sizeof text, "configs One;Two\n%s", target);
  assert_int_equal(parse(text), SPEC_OK);
  const char *found = includes_of("A");
  assert_int_equal(strncmp(found, "/b/One/iOne|/b/Two/iTwo|", 24), 0);
  assert_non_null(strstr(found, "|/c/One|"));
  assert_non_null(strstr(found, "|/c/Two|"));
  tear_down(NULL);
  set_up(NULL);
  assert_int_equal(parse(target), SPEC_OK);
  assert_non_null(strstr(includes_of("A"), "/b/i|"));
}

static void test_links_in_circles(void **state) {
  (void)state;
  assert_int_equal(parse("target A\ntype STATIC_LIBRARY\niincludes /a\nlinks B;A\nilinks B\n"
                         "target B\ntype STATIC_LIBRARY\niincludes /b\nlinks A\nilinks A;B\n"),
                   SPEC_OK);
  assert_string_equal(includes_of("A"), "/b|");
  assert_string_equal(includes_of("B"), "/a|");
}

static void test_forced_headers(void **state) {
  (void)state;
  assert_int_equal(parse("flags -include /f.h\n"
                         "target A\ntype EXECUTABLE\ndir /t\nbin /b\n"
                         "options -include;o.h;-includep.h;SHELL:-include s.h -include \"q 1.h\" "
                         "'-includeq\\ 2.h' -include q\\ 3.h;"
                         "-Xclang;-include;-Xclang;c.h;-imacros;m.h\n"
                         "pch <a/b.h>;\"q.h\";own.h;/abs.h\n"
                         "target R\ntype EXECUTABLE\ndir /r\nbin /b\npchfrom A\n"),
                   SPEC_OK);
  spec_list list;
  assert_int_equal(spec_usage_forced(arena, &list, &targets, target("A"), &err), SPEC_OK);
  assert_string_equal(joined(&list),
                      "o.h|p.h|s.h|q 1.h|q\\ 2.h|q 3.h|c.h|m.h|/f.h|a/b.h|q.h|/t/own.h|/abs.h|");
  assert_int_equal(spec_usage_precompiled(arena, &list, &targets, target("R"), &err), SPEC_OK);
  assert_string_equal(joined(&list), "a/b.h|q.h|/t/own.h|/abs.h|");
}

static void test_precompiled_headers_of_others(void **state) {
  (void)state;
  assert_int_equal(parse("target A\ntype EXECUTABLE\ndir /a\nlinks I\npch a.h\n"
                         "target I\ntype INTERFACE_LIBRARY\ndir /i\nilinks J\n"
                         "ipch /i/i.h;$<$<COMPILE_LANGUAGE:C>:<c.h$<ANGLE-R>>\n"
                         "target J\ntype INTERFACE_LIBRARY\ndir /j\nipch <j.h>\n"
                         "target B\ntype EXECUTABLE\ndir /b\npchfrom A\n"
                         "target C\ntype EXECUTABLE\ndir /c\npchfrom B\n"
                         "target D\ntype EXECUTABLE\ndir /d\npchfrom D\n"),
                   SPEC_OK);
  spec_list list;
  assert_ptr_equal(spec_usage_precompiler(&targets, target("C")), target("A"));
  assert_ptr_equal(spec_usage_precompiler(&targets, target("D")), target("D"));
  assert_int_equal(spec_usage_precompiled(arena, &list, &targets, target("C"), &err), SPEC_OK);
  /* Any word of a generator expression may be a name or a path. */
  const char *found = joined(&list);
  assert_int_equal(strncmp(found, "/a/a.h|/i/i.h|", 14), 0);
  assert_non_null(strstr(found, "|c.h|/i/c.h|"));
  assert_non_null(strstr(found, "|j.h|"));
}

static void test_sources_of_linked_interfaces(void **state) {
  (void)state;
  assert_int_equal(parse("target A\ntype EXECUTABLE\ndir /t\nsources a.c\nlinks B\n"
                         "target B\ntype INTERFACE_LIBRARY\ndir /b\nisources b.c\nilinks C\n"
                         "target C\ntype STATIC_LIBRARY\ndir /c\nsources no.c\nisources c.c\n"),
                   SPEC_OK);
  spec_source *sources;
  size_t count;
  assert_int_equal(spec_usage_sources(arena, &sources, &count, &targets, target("A"), &err), 0);
  assert_int_equal(count, 3);
  assert_string_equal(sources[2].text, "c.c");
  assert_string_equal(sources[2].from->dir, "/c");
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_split),
      TEST(test_parts),
      TEST(test_all_keywords),
      TEST(test_lines_that_do_not_parse),
      TEST(test_alias_of_nothing),
      TEST(test_order_of_include_folders),
      TEST(test_generator_expressions_in_include_folders),
      TEST(test_system_folders_come_last),
      TEST(test_build_types_in_include_folders),
      TEST(test_links_in_circles),
      TEST(test_forced_headers),
      TEST(test_precompiled_headers_of_others),
      TEST(test_sources_of_linked_interfaces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
