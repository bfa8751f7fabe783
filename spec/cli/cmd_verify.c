/* cmd_verify.c: proves from Ninja's records what a build used. */
#include "cli/cli.h"

#include "base/err.h"
#include "cli/verifying.h"
#include "compile_commands.h"
#include "spec_build.h"

static const spec_cli_option options[] = {
    SPEC_CLI_JSON_OPTION,
};

static void print_text(const spec_verification *v) {
  spec_buf text = {0};
  spec_buf_printf(&text, "%zu override%s: %zu proved by what read them, %zu by configuration",
                  v->overrides, v->overrides == 1 ? "" : "s", v->proved, v->configured);
  if (v->pending > 0)
    spec_buf_printf(&text, ", %zu whose owners are not built yet", v->pending);
  spec_buf_char(&text, '\n');
  spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
}

static int print_json(spec_cli *cli, const spec_verification *v, spec_err *err) {
  json_t *root = json_object();
  int rc = spec_json_put(root, "overrides", json_integer((json_int_t)v->overrides));
  rc |= spec_json_put(root, "proved", json_integer((json_int_t)v->proved));
  rc |= spec_json_put(root, "configured", json_integer((json_int_t)v->configured));
  rc |= spec_json_put(root, "pending", json_integer((json_int_t)v->pending));
  rc |= spec_cli_add_findings(cli, root);
  rc = rc != 0 ? spec_fail_memory(err) : spec_cli_print_json(cli, root, err);
  json_decref(root);
  return rc;
}

int spec_cli_verify(spec_cli *cli, const char *build, spec_err *err) {
  spec_verification result = {0};
  int rc = spec_build_verify(&result, build, spec_cli_on_event, cli, err);
  if (rc != 0 && rc != SPEC_EREFUSED)
    return rc;
  int made = spec_build_compile_commands(build, err);
  if (made != 0)
    return made;
  if (!cli->args.json) {
    print_text(&result);
    return rc;
  }
  spec_err inner = {0};
  if (print_json(cli, &result, &inner) != 0) {
    *err = inner;
    rc = inner.code;
  }
  return rc;
}

static int run(spec_cli *cli, spec_err *err) {
  return spec_cli_verify(cli, cli->args.word_count > 0 ? cli->args.words[0] : ".", err);
}

const spec_command spec_cmd_verify = {
    "verify",
    "[options] [<build folder>]",
    "Prove from Ninja's records which outputs used each override, and that none read what it "
    "shadows.",
    options,
    sizeof options / sizeof *options,
    0,
    1,
    run};
