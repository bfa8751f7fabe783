/* Includes of C, C++ and TableGen text, in every form in which a compiler takes them. */
#include "scan.h"
#include "unit.h"
#include "unit_arena.h"

#include <stdio.h>
#include <string.h>

typedef int scan_fn(spec_arena *arena, spec_includes *out, const char *text, size_t len,
                    spec_err *err);

/* The names found, each with a letter for its form and a space: `"a.h `, `<b.h `, `>next.h `, `!M
 * `. */
static const char *found_by(scan_fn *scan, const char *text, size_t len) {
  static char out[1024];
  spec_includes includes;
  /* A copy whose end the sanitizer knows. */
  assert_int_equal(scan(arena, &includes, spec_arena_strndup(arena, text, len), len, NULL), 0);
  size_t at = 0;
  out[0] = '\0';
  for (size_t i = 0; i < includes.count; i++) {
    static const char forms[] = {[SPEC_INCLUDE_QUOTED] = '"',
                                 [SPEC_INCLUDE_ANGLED] = '<',
                                 [SPEC_INCLUDE_NEXT] = '>',
                                 [SPEC_INCLUDE_MACRO] = '!'};
    at += (size_t)snprintf(out + at, sizeof out - at, "%c%s ", forms[includes.items[i].form],
                           includes.items[i].name);
    assert_true(at < sizeof out);
  }
  return out;
}

static void check(scan_fn *scan, const char *text, const char *wanted) {
  const char *found = found_by(scan, text, strlen(text));
  if (strcmp(found, wanted) != 0)
    print_error("in <<%s>>\n", text);
  assert_string_equal(found, wanted);
}

typedef struct row {
  const char *text, *wanted;
} row;

static void check_rows(scan_fn *scan, const row *rows, size_t count) {
  for (size_t i = 0; i < count; i++)
    check(scan, rows[i].text, rows[i].wanted);
}

static void test_plain_forms(void **state) {
  (void)state;
  static const row rows[] = {
      {"", ""},
      {"int a;\n", ""},
      {"#include \"a.h\"\n", "\"a.h "},
      {"#include <a/b.h>\n", "<a/b.h "},
      {"#include \"a.h\"", "\"a.h "}, /* no end of line */
      {"#include\"a.h\"\n#include<b.h>\n", "\"a.h <b.h "},
      {"#import \"a.h\"\n", "\"a.h "},
      {"#include_next <a.h>\n#include_next \"b.h\"\n", ">a.h >b.h "},
      {"#embed \"a.inc\"\n", "\"a.inc "},
      {"#if 0\n#include \"a.h\"\n#endif\n", "\"a.h "}, /* conditions do not count */
      {"#include \"../a b.h\"\n", "\"../a b.h "},
      {"#include \"a.h\" // why\n", "\"a.h "},
      {"#include \"a.h\n#include \"b.h\"\n", "\"b.h "}, /* a name that does not end */
      {"#include <a.h\n", ""},
      {"#include\n\"a.h\"\n", ""},
      {"#include", ""},
      {"#", ""},
      {"#define A \"a.h\"\n#define B <b.h>\n#include A\n", "\"a.h <b.h !A "},
      {"#define /**/ A /**/ \"a\\\n.h\" // why\n", "\"a.h "},
      {"#define A(x) \"a.h\"\n#define B x \"a.h\"\n#define C <\n#define D \"a\n", ""},
      {"#define A \"a.h\" __has_include(\"b.h\")\n", "\"a.h \"b.h "},
      {"x #include \"a.h\"\n", "\"a.h "}, /* too much, never too little */
  };
  check_rows(spec_scan_c, rows, COUNT(rows));
}

static void test_blanks_and_comments(void **state) {
  (void)state;
  static const row rows[] = {
      {" \t#\t include \f\v \"a.h\"\n", "\"a.h "},
      {"/**/#include \"a.h\"\n", "\"a.h "},
      {"/* x */ # /* y */ include /* z */ \"a.h\"\n", "\"a.h "},
      {"#/* over\ntwo lines */include \"a.h\"\n", "\"a.h "},
      {"/* over\ntwo */ #include \"a.h\"\n", "\"a.h "},
      {"/* a *//* b */#include \"a.h\"\n", "\"a.h "},
      {"#include /* \"no.h\" */ \"a.h\"\n", "\"a.h "},
      {"int a; /* */ #include \"a.h\"\n", "\"a.h "},
      {"/*\n#include \"a.h\"\n*/\n", "\"a.h "},
      {"const char *s = R\"(\n#include \"a.h\"\n)\";\n", "\"a.h "},
      {"#include \"a//b.h\"\n#include <c/*d.h>\n", "\"a//b.h <c/*d.h "},
      {"#/* never closed\n#include \"a.h\"\n", "\"a.h "},
      {"char c = '\"'; /* \" */\n#include \"a.h\"\n", "\"a.h "},
  };
  check_rows(spec_scan_c, rows, COUNT(rows));
}

static void test_other_spellings(void **state) {
  (void)state;
  static const row rows[] = {
      {"%:include \"a.h\"\n", "\"a.h "},
      {"  %: include <a.h>\n", "<a.h "},
      {"?\?=include \"a.h\"\n", "\"a.h "},
      {"#inc\\\nlude \"a.h\"\n", "\"a.h "},
      {"#inc\\\r\nlude \"a.h\"\n", "\"a.h "},
      {"#inc\\ \t\nlude \"a.h\"\n", "\"a.h "},
      {"#inc?\?/\nlude \"a.h\"\n", "\"a.h "},
      {"\\\n#\\\n\\\ninclude\\\n\"a.h\"\n", "\"a.h "},
      {"#include \"a\\\n.h\"\n", "\"a.h "},
      {"#include <a\\\nb\\\nc>\n", "<abc "},
      {"#include \"dir\\a.h\"\n", "\"dir\\a.h "}, /* no line break behind it */
      {"*\\\n/ #include \"a.h\"\n", "\"a.h "},
      {"*?\?/\n/ #include \"a.h\"\n", "\"a.h "},
      {"%include \"a.h\"\n", ""},
      {"#\\", ""},
      {"#include \\", "!\\ "},
  };
  check_rows(spec_scan_c, rows, COUNT(rows));
}

static void test_encodings_and_line_ends(void **state) {
  (void)state;
  static const row rows[] = {
      {"\xef\xbb\xbf#include \"a.h\"\n", "\"a.h "},
      {"\xef\xbb\xbf", ""},
      {"#include \"a.h\"\r\n#include <b.h>\r\n", "\"a.h <b.h "},
      {"int a;\r#include \"a.h\"\rint b;\r", "\"a.h "},
      {"#include \"caf\xc3\xa9.h\"\n#include \"\xff.h\"\n", "\"caf\xc3\xa9.h \"\xff.h "},
  };
  check_rows(spec_scan_c, rows, COUNT(rows));
  assert_string_equal(found_by(spec_scan_c, "#\0include\0\"a.h\"\n", 16), "\"a.h ");
}

static void test_macros_and_conditions(void **state) {
  (void)state;
  static const row rows[] = {
      {"#include NAME\n", "!NAME "},
      {"#include STR(x.h)\n", "!STR(x.h) "},
      {"#include_next NAME\n", "!NAME "},
      {"#include NAME // \"a.h\"\n", "!NAME // \"a.h\" "},
      {"#if __has_include(\"a.h\")\n", "\"a.h "},
      {"#if X && __has_include ( <a.h> ) && __has_include(\"b.h\")\n", "<a.h \"b.h "},
      {"#if __has_include_next(<a.h>)\n", ">a.h "},
      {"#elif A /* over\ntwo lines */ && __has_include(<a.h>)\n", "<a.h "},
      {"#define A \"/*\"\n#if __has_include(<a.h>)\n", "\"/* <a.h <a.h "},
      {"%:if __has_include(<a.h>)\n#if X\n", "<a.h "},
      {"#if X\\\n && __has_include(<a.h>)\n", "<a.h "},
      {"#define HAS __has_include(<a.h>)\n", "<a.h "},
      {"# # if # if __has_include(<a.h>)\n", "<a.h "},
      {"#ifdef __has_include\n", ""},
      {"#if __has_include(NAME)\n", "!NAME) "},
      {"#define HAS(x) __has_include(x)\n", "!x) "},
      {"#define __has_include(x) 0\n", ""}, /* for compilers that lack it */
      {"#define __has_include(x) __has_include(<a.h>)\n", "<a.h "},
      {"#if defined(__has_include) && __has_include(<a.h>)\n", "<a.h "},
      {"#if defined __has_include\n", ""},
      {"#if __has_include()\n", ""},
      {"#if __has_embed(\"a.inc\" limit(4))\n", "\"a.inc "},
      {"#ifndef A /* over\ntwo lines */ || __has_embed(<a.inc>)\n", "<a.inc "},
      {"#if __has_include", ""},
  };
  check_rows(spec_scan_c, rows, COUNT(rows));
}

/* One more comment than is skipped: what follows may be anything. */
static void test_modules(void **state) {
  (void)state;
  static const row rows[] = {
      {"import \"a.h\";\n", "\"a.h "},
      {"import <a.h>;\n", "<a.h "},
      {"export import <a/b.h> [[x]];\n", "<a/b.h "},
      {"import/**/\\\n<a.h>;", "<a.h "},
      {"import std;\nimport :part;\nmodule;\n", ""},
      {"import", ""},
      {"reimport <a.h>\nimports <b.h>\nx_import \"c.h\"\n", ""},
      {"#import <a.h>\n# import \"b.h\"\n", "<a.h \"b.h "}, /* once each */
      {"%: import <a.h>\n", "<a.h <a.h "},                  /* twice, which harms nobody */
      {"// they import \"a.h\"\n", "\"a.h "},
  };
  check_rows(spec_scan_c, rows, COUNT(rows));
}

/* What has nothing to do with includes, and what only looks like it. */
static void test_other_directives(void **state) {
  (void)state;
  static const row rows[] = {
      {"#pragma once\n_Pragma(\"once\")\n", ""},
      {"#pragma GCC dependency \"a.h\"\n", ""}, /* compares times, takes no text */
      {"#line 1 \"a.h\"\n# 1 \"a.h\"\n", ""},
      {"#error include \"a.h\"\n", ""},
      {"#embed <a.inc> limit(4) prefix(1,) if_empty(0)\n", "<a.inc "},
      {"#embed NAME\n", "!NAME "},
      {"#elifdef A\n#include <a.h>\n#elifndef B\n#else\n#include <b.h>\n#endif\n", "<a.h <b.h "},
      {"#include_next \"a.h\"\n#include <a.h> // again\n", ">a.h <a.h "},
      {"?\?=import <a.h>\n", "<a.h <a.h "},
      {"%:inc\\\nlude /* x */ \\\n <a.h>\n", "<a.h "},
      {"#if 0\n#if __has_include(<a.h>)\n#endif\n#endif\n", "<a.h "},
      {"auto s = R\"x(\n#include \"no.h\"\n)x\";\n#include <a.h>\n", "\"no.h <a.h "},
      {"auto s = R\"(*/ /* \")\";\n#include <a.h>\n", "<a.h "},
  };
  check_rows(spec_scan_c, rows, COUNT(rows));
}

static void test_many_comments(void **state) {
  (void)state;
  char text[1024] = "#";
  for (size_t i = 0; i < 64; i++)
    memcpy(text + 1 + 4 * i, "/**/", sizeof "/**/");
  char most[1024];
  (void)snprintf(most, sizeof most, "%sinclude \"a.h\"", text);
  check(spec_scan_c, most, "\"a.h ");
  (void)snprintf(most, sizeof most, "%s/**/include \"a.h\"", text);
  check(spec_scan_c, most, "! ");
}

/* Each of these once took time that grew with the square of the length: minutes. */
static void test_large_texts_end(void **state) {
  (void)state;
  static const char *const parts[] = {"/**/",   "\\\n",      "/*\n",         "#/*\n",
                                      "\r",     "#/**//*\n", "#include X*/", "#if __has_include(/*",
                                      "#if /*", "#include <"};
  enum { SIZE = 256 * 1024 };
  char *text = spec_arena_alloc(arena, SIZE);
  for (size_t i = 0; i < COUNT(parts); i++) {
    size_t len = strlen(parts[i]);
    for (size_t k = 0; k < SIZE; k++)
      text[k] = parts[i][k % len];
    spec_includes includes;
    assert_int_equal(spec_scan_c(arena, &includes, text, SIZE, NULL), SPEC_OK);
  }
}

static void test_very_long_line(void **state) {
  (void)state;
  enum { SIZE = 1024 * 1024 };
  char *text = spec_arena_alloc(arena, SIZE + 64);
  memset(text, 'x', SIZE);
  memcpy(text + SIZE, "\n#include \"a.h\"\n", 17);
  check(spec_scan_c, text, "\"a.h ");
  memcpy(text, "/*", 2);
  memcpy(text + SIZE, "*/#include \"a.h\"\n", 18);
  check(spec_scan_c, text, "\"a.h ");
  memset(text, ' ', SIZE);
  memcpy(text + SIZE, "#include \"a.h\"", 15);
  check(spec_scan_c, text, "\"a.h ");
}

static void test_longest_name(void **state) {
  (void)state;
  char text[2000] = "#include <";
  for (size_t len = 1023; len <= 1025; len++) {
    spec_includes includes;
    memset(text + 10, 'n', len);
    text[10 + len] = '>';
    assert_int_equal(spec_scan_c(arena, &includes, text, len + 11, NULL), SPEC_OK);
    assert_int_equal(includes.count, 1);
    assert_int_equal(includes.items[0].form,
                     len <= 1024 ? SPEC_INCLUDE_ANGLED : SPEC_INCLUDE_MACRO);
  }
}

static void test_tablegen(void **state) {
  (void)state;
  static const row rows[] = {
      {"include \"a.td\"\n", "\"a.td "},
      {"include\"a.td\" include\t\n\r\"b.td\"", "\"a.td \"b.td "},
      {"include /* x /* nested */ */ \"a.td\"\n", "\"a.td "},
      {"include // why\n  // and\n\"a.td\"\n", "\"a.td "},
      {"// include \"a.td\"\n", "\"a.td "},
      {"#ifdef X\ninclude \"a.td\"\n#endif", "\"a.td "},
      {"#include \"a.td\"\n", "\"a.td "},
      {"include \"a.td", ""},
      {"include <a.td>", ""},
      {"include", ""},
      {"include /", ""},
      {"include /*", ""},
      {"include //", ""},
      {"includes \"a.td\"", ""},
      {"let summary = \"include\"; let x = \"y\";", "\"; let x =  "}, /* too much */
  };
  check_rows(spec_scan_td, rows, COUNT(rows));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, make_arena, free_arena)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_plain_forms),           TEST(test_blanks_and_comments),
      TEST(test_other_spellings),       TEST(test_encodings_and_line_ends),
      TEST(test_macros_and_conditions), TEST(test_modules),
      TEST(test_other_directives),      TEST(test_many_comments),
      TEST(test_large_texts_end),       TEST(test_very_long_line),
      TEST(test_longest_name),          TEST(test_tablegen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
