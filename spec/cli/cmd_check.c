/* cmd_check.c: run by Ninja before every build, see cmake/SpecCheck.cmake. */
#include "cli/cli.h"

#include "base/err.h"
#include "compile_commands.h"
#include "spec_build.h"

static const spec_cli_option options[] = {
    SPEC_CLI_JSON_OPTION,
};

enum { SHOWN = 3 };

typedef struct changes {
  spec_cli *cli;
  spec_buf text;
  json_t *list; /* when --json */
  size_t count;
  int rc;
} changes;

static void on_changed(void *user, const char *path) {
  changes *c = user;
  if (c->list != NULL)
    c->rc |= spec_json_push(c->list, spec_json_text(path, NULL));
  else if (c->count < SHOWN)
    spec_buf_printf(&c->text, "%s%s", c->count == 0 ? "" : ", ", path);
  c->count++;
}

static void on_event(void *user, const spec_event *event) {
  spec_cli_on_event(((changes *)user)->cli, event);
}

/* Ninja shows what a rule prints, so nothing is said when nothing follows from a change. */
static void print_text(changes *c, bool stale) {
  if (!stale)
    return;
  if (c->count > SHOWN)
    spec_buf_printf(&c->text, " and %zu more", c->count - SHOWN);
  spec_buf text = {0};
  if (c->count == 0)
    spec_buf_str(&text, "triton-spec: the last configure run did not end; CMake runs again\n");
  else
    spec_buf_printf(&text, "triton-spec: CMake runs again, since this changed: %s\n",
                    spec_buf_text(&c->text));
  spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
}

static int print_json(changes *c, bool stale, spec_err *err) {
  json_t *root = json_object();
  int rc = c->rc | spec_json_put(root, "stale", json_boolean(stale));
  rc |= spec_json_put(root, "changed", json_incref(c->list));
  rc = rc != 0 ? spec_fail_memory(err) : spec_cli_print_json(c->cli, root, err);
  json_decref(root);
  return rc;
}

static int run(spec_cli *cli, spec_err *err) {
  changes c = {.cli = cli};
  bool stale = false;
  if (cli->args.json && (c.list = json_array()) == NULL)
    return spec_fail_memory(err);
  int rc = spec_build_check(&stale, cli->args.words[0], on_changed, on_event, &c, err);
  if (rc == 0 && !stale) /* CMake has written the build's commands meanwhile */
    rc = spec_build_compile_commands(cli->args.words[0], err);
  if (rc == 0 && cli->args.json)
    rc = print_json(&c, stale, err);
  else if (rc == 0)
    print_text(&c, stale);
  json_decref(c.list);
  spec_buf_dispose(&c.text);
  return rc;
}

const spec_command spec_cmd_check = {
    "check",
    "[options] <build folder>",
    "Plumbing: see whether CMake must configure a build again (run by Ninja before each build).",
    options,
    sizeof options / sizeof *options,
    1,
    1,
    run};
