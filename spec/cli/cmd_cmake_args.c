/* cmd_cmake_args.c: the arguments that put an overlay over a trunk's own build. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "base/process.h"
#include "core/plan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const spec_cli_option options[] = {
    SPEC_CLI_PLAN_OPTIONS,
    {"--cmake", "PATH", "the CMake that will be used (default: cmake)", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, cmake)},
    {"--null", NULL, "separate arguments by NUL instead of quoting them for a shell",
     SPEC_CLI_SWITCH, offsetof(spec_cli_args, null_separated)},
};

enum { MIN_MAJOR = 3, MIN_MINOR = 24 }; /* CMAKE_PROJECT_TOP_LEVEL_INCLUDES */

static int check_cmake(spec_cli *cli, spec_err *err) {
  const char *cmake = cli->args.cmake != NULL ? cli->args.cmake : "cmake";
  const char *const argv[] = {cmake, "--version", NULL};
  char text[256];
  int rc = spec_process_first_line(text, sizeof text, argv, err);
  if (rc != 0)
    return rc;
  static const char prefix[] = "cmake version ";
  char *point = text, *end = text;
  bool known = strncmp(text, prefix, sizeof prefix - 1) == 0;
  long major = known ? strtol(text + sizeof prefix - 1, &point, 10) : 0;
  long minor = known && *point == '.' ? strtol(point + 1, &end, 10) : 0;
  if (!known || end <= point + 1)
    return spec_fail(err, SPEC_EINVAL, "'%s --version' says '%s', which names no version", cmake,
                     text);
  if (major > MIN_MAJOR || (major == MIN_MAJOR && minor >= MIN_MINOR))
    return SPEC_OK;
  spec_fail(err, SPEC_EINVAL,
            "CMake %ld.%ld ignores CMAKE_PROJECT_TOP_LEVEL_INCLUDES, so the overlay "
            "would silently be without effect",
            major, minor);
  return spec_fail_mend(err, "use CMake %d.%d or newer (--cmake PATH)", MIN_MAJOR, MIN_MINOR);
}

/* Characters that neither a shell nor Python's shlex treats specially. */
static bool is_plain(const char *text) {
  return *text != '\0' && text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789_-+=./,:@%")] == '\0';
}

/* The arguments, before anything is quoted. */
typedef struct arg_list {
  const char **items;
  size_t count;
} arg_list;

static int add_argument(spec_cli *cli, arg_list *to, const char *text, spec_err *err) {
  const char **grown = spec_arena_grow(cli->arena, to->items, to->count * sizeof text,
                                       (to->count + 1) * sizeof text);
  if (grown == NULL || text == NULL)
    return spec_fail_memory(err);
  to->items = grown;
  grown[to->count++] = text;
  return SPEC_OK;
}

static void quote_argument(spec_buf *out, const char *text) {
  if (out->len > 0)
    spec_buf_char(out, ' ');
  if (is_plain(text)) {
    spec_buf_str(out, text);
    return;
  }
  spec_buf_char(out, '\'');
  for (; *text != '\0'; text++)
    if (*text == '\'')
      spec_buf_str(out, "'\"'\"'");
    else
      spec_buf_char(out, *text);
  spec_buf_char(out, '\'');
}

static const char includes_name[] = "CMAKE_PROJECT_TOP_LEVEL_INCLUDES";

/* How many of the user's words, from words[i] on, set that variable: 0, 1 (-DNAME=value)
 * or 2 (-D NAME=value); *value becomes what they set it to. */
static size_t sets_includes(const spec_cli *cli, size_t i, const char **value) {
  const char *word = cli->args.words[i];
  size_t used = 1, len = sizeof includes_name - 1;
  if (strncmp(word, "-D", 2) != 0)
    return 0;
  word += 2;
  if (*word == '\0' && i + 1 < cli->args.word_count) {
    word = cli->args.words[i + 1];
    used = 2;
  }
  if (strncmp(word, includes_name, len) != 0 || (word[len] != '=' && word[len] != ':'))
    return 0;
  const char *equals = strchr(word, '=');
  if (equals != NULL)
    *value = equals + 1;
  return used;
}

/* A value that the user gives already is kept: CMake takes the last -D only. */
static const char *joined_includes(spec_cli *cli, const char *inject) {
  const char *found = NULL;
  for (size_t i = 0; i < cli->args.word_count; i++)
    sets_includes(cli, i, &found);
  return found == NULL || *found == '\0'
             ? spec_arena_printf(cli->arena, "-D%s=%s", includes_name, inject)
             : spec_arena_printf(cli->arena, "-D%s=%s;%s", includes_name, inject, found);
}

/* The user's own arguments, without those that joined_includes() takes up. */
static int add_words(spec_cli *cli, arg_list *to, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < cli->args.word_count; i++) {
    const char *value;
    size_t used = sets_includes(cli, i, &value);
    if (used == 0)
      rc = add_argument(cli, to, cli->args.words[i], err);
    else
      i += used - 1;
  }
  return rc;
}

/* Further overlay roots must reach CMake in a later shell too. */
static int add_roots(spec_cli *cli, arg_list *to, spec_err *err) {
  if (cli->args.root_count == 0)
    return SPEC_OK;
  spec_buf roots = {0};
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < cli->args.root_count; i++) {
    const char *real;
    rc = spec_fs_real(cli->arena, &real, cli->args.roots[i], err);
    if (rc == 0)
      spec_buf_printf(&roots, "%s%s", i == 0 ? "" : ";", real);
  }
  if (rc == 0 && spec_buf_failed(&roots))
    rc = spec_fail_memory(err);
  if (rc == 0)
    rc = add_argument(
        cli, to, spec_arena_printf(cli->arena, "-DTRITON_SPEC_ROOTS=%s", spec_buf_text(&roots)),
        err);
  spec_buf_dispose(&roots);
  return rc;
}

static int list_arguments(spec_cli *cli, arg_list *out, const spec_plan *plan, spec_err *err) {
  const char *inject = NULL, *self = NULL;
  int rc = spec_cli_cmake_file(cli, &inject, "SpecInject.cmake", err);
  if (rc == 0)
    rc = spec_fs_real(cli->arena, &self, cli->self, err);
  if (rc == 0)
    rc = add_argument(
        cli, out, spec_arena_printf(cli->arena, "-DFLAGTREE_BACKEND=%s", spec_plan_backend(plan)),
        err);
  if (rc == 0)
    rc = add_argument(cli, out, spec_arena_printf(cli->arena, "-DTRITON_SPEC_EXECUTABLE=%s", self),
                      err);
  if (rc == 0)
    rc = add_roots(cli, out, err);
  if (rc == 0 && cli->args.warn_redundant) /* the build plans again, by the same rules */
    rc = add_argument(cli, out, "-DTRITON_SPEC_REDUNDANT=warn", err);
  if (rc == 0)
    rc = add_words(cli, out, err);
  return rc != 0 ? rc : add_argument(cli, out, joined_includes(cli, inject), err);
}

static int print_json(spec_cli *cli, const arg_list *list, spec_err *err) {
  json_t *root = json_object(), *arguments = json_array();
  int rc = 0;
  for (size_t i = 0; i < list->count; i++)
    rc |= spec_json_push(arguments, spec_json_text(list->items[i], NULL));
  rc |= spec_json_put(root, "arguments", arguments);
  rc |= spec_cli_add_findings(cli, root);
  rc = rc != 0 ? spec_fail_memory(err) : spec_cli_print_json(cli, root, err);
  json_decref(root);
  return rc;
}

static int print_text(spec_cli *cli, const arg_list *list, spec_err *err) {
  spec_buf text = {0};
  for (size_t i = 0; i < list->count; i++)
    if (cli->args.null_separated)
      spec_buf_add(&text, list->items[i], strlen(list->items[i]) + 1);
    else
      quote_argument(&text, list->items[i]);
  if (!cli->args.null_separated)
    spec_buf_char(&text, '\n');
  int rc = spec_buf_failed(&text) ? spec_fail_memory(err) : SPEC_OK;
  if (rc == 0)
    fwrite(spec_buf_text(&text), 1, text.len, stdout);
  spec_buf_dispose(&text);
  return rc;
}

static int run(spec_cli *cli, spec_err *err) {
  spec_plan *plan = NULL;
  int rc = check_cmake(cli, err);
  if (rc == 0)
    rc = spec_cli_plan(cli, &plan, err);
  arg_list list = {0};
  if (rc == 0)
    rc = list_arguments(cli, &list, plan, err);
  if (rc == 0)
    rc = cli->args.json ? print_json(cli, &list, err) : print_text(cli, &list, err);
  spec_plan_free(plan);
  return rc;
}

const spec_command spec_cmd_cmake_args = {
    "cmake-args",
    "[options] [-- <your own CMake arguments>...]",
    "Print the arguments that put the overlay over a trunk's own CMake build, quoted for a shell "
    "and for TRITON_APPEND_CMAKE_ARGS.",
    options,
    sizeof options / sizeof *options,
    0,
    (size_t)-1,
    run};
