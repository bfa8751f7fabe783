/* cmd_bake.c: a wheel of Triton with the backend's package in it. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "package/bake.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const spec_cli_option options[] = {
    {"--wheel", "FILE", "the stock wheel of triton", SPEC_CLI_TEXT, offsetof(spec_cli_args, wheel)},
    {"--backend", "NAME", "the backend (default: $FLAGTREE_BACKEND)", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, backend)},
    {"--root", "DIR",
     "a further overlay root; may be given several times (also: $SPEC_PATH, $TRITON_PLUGIN_DIRS)",
     SPEC_CLI_LIST, offsetof(spec_cli_args, roots)},
    {"--out", "DIR", "where the new wheel goes (default: the current folder)", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, out)},
    {"--label", "LABEL", "of the new wheel's version (default: the backend's name)", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, label)},
    {"--strict", NULL, "refuse replaced functions that no longer take the trunk's calls",
     SPEC_CLI_SWITCH, offsetof(spec_cli_args, strict)},
    {"--warn-redundant", NULL, "overrides identical to the trunk's file only warn", SPEC_CLI_SWITCH,
     offsetof(spec_cli_args, warn_redundant)},
    SPEC_CLI_DRIFT_OPTION,
    SPEC_CLI_JSON_OPTION,
};

/* --- what is said ------------------------------------------------------------------------------
 */

/* How an override's file stands for the trunk's. */
static const char *note_of(const spec_override *o) {
  switch (o->action) {
  case SPEC_REPLACE:
    return o->policy == SPEC_POLICY_MERGE ? " (merged)" : "";
  case SPEC_ADD:
    return " (added)";
  case SPEC_REMOVE:
    return " (removed)";
  case SPEC_PATCH:
    return " (patched)";
  default:
    return " (hooks)";
  }
}

static void print_text(const spec_baked *baked) {
  size_t count, layer_count;
  const spec_override *overrides = spec_plan_overrides(baked->plan, &count);
  const spec_layer *layers = spec_plan_layers(baked->plan, &layer_count);
  spec_buf text = {0};
  spec_buf_str(&text, "-- =====================================\n"
                      "-- flagtree backend wheel specialization\n");
  for (size_t i = 0; i < count; i++)
    spec_buf_printf(&text, "-- SPEC: %s -> %s/%s%s\n", overrides[i].trunk,
                    layers[overrides[i].layer].name, overrides[i].overlay, note_of(&overrides[i]));
  spec_buf_printf(&text, "-- %s: %zu override%s; members: %zu replaced, %zu added, %zu removed, ",
                  spec_plan_backend(baked->plan), count, count == 1 ? "" : "s", baked->replaced,
                  baked->added, baked->removed);
  spec_buf_printf(&text,
                  "%zu as they were\n"
                  "-- =====================================\n%s%s\n",
                  baked->kept, baked->path, baked->changed ? "" : " (already there)");
  spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
}

static int print_json(spec_cli *cli, const spec_baked *baked, spec_err *err) {
  json_t *root = json_object();
  int rc = spec_json_put(root, "wheel", spec_json_text(baked->path, NULL));
  rc |= spec_json_put(root, "version", spec_json_text(baked->version, NULL));
  rc |= spec_json_put(root, "changed", json_boolean(baked->changed));
  rc |= spec_json_put(root, "replaced", json_integer((json_int_t)baked->replaced));
  rc |= spec_json_put(root, "added", json_integer((json_int_t)baked->added));
  rc |= spec_json_put(root, "removed", json_integer((json_int_t)baked->removed));
  rc |= spec_json_put(root, "kept", json_integer((json_int_t)baked->kept));
  rc |= spec_cli_add_findings(cli, root);
  rc = rc != 0 ? spec_fail_memory(err) : spec_cli_print_json(cli, root, err);
  json_decref(root);
  return rc;
}

/* --- what is baked -----------------------------------------------------------------------------
 */

/* The date of what is new: as the tools that make wheels reproducibly take it. */
static int read_date(int64_t *out, spec_err *err) {
  const char *text = getenv("SOURCE_DATE_EPOCH");
  *out = 0;
  if (text == NULL || *text == '\0')
    return SPEC_OK;
  char *end;
  errno = 0;
  *out = strtoll(text, &end, 10);
  if (errno == 0 && *end == '\0' && *out >= 0)
    return SPEC_OK;
  (void)spec_fail(err, SPEC_EINVAL, "SOURCE_DATE_EPOCH is '%s', which is no date", text);
  (void)spec_fail_mend(err, "set it to seconds since 1970, or unset it");
  return SPEC_EINVAL;
}

static int read_options(spec_cli *cli, spec_bake_options *out, spec_err *err) {
  const char *cwd, *temporary = getenv("TMPDIR");
  if (cli->args.wheel == NULL) {
    (void)spec_fail(err, SPEC_EINVAL, "'bake' needs --wheel FILE");
    (void)spec_fail_mend(err, "pip download --no-deps triton==VERSION gets one");
    return SPEC_EINVAL;
  }
  *out = (spec_bake_options){.wheel = cli->args.wheel, .label = cli->args.label};
  cli->installed = true;
  int rc = spec_cli_options(cli, &out->plan, err);
  out->plan.strict_signatures = cli->args.strict;
  if (rc == SPEC_OK)
    rc = read_date(&out->date, err);
  if (rc == SPEC_OK)
    rc = spec_fs_cwd(cli->arena, &cwd, err);
  if (rc != SPEC_OK)
    return rc;
  if (temporary == NULL || *temporary == '\0')
    temporary = "/tmp";
  out->scratch = spec_path_resolve(cli->arena, cwd, temporary);
  out->folder = cli->args.out == NULL ? cwd : spec_path_resolve(cli->arena, cwd, cli->args.out);
  return out->scratch == NULL || out->folder == NULL ? spec_fail_memory(err) : SPEC_OK;
}

static int run(spec_cli *cli, spec_err *err) {
  spec_bake_options bake;
  spec_baked baked;
  int rc = read_options(cli, &bake, err);
  if (rc == SPEC_OK)
    rc = spec_bake_wheel(&baked, cli->arena, &bake, err);
  if (rc != SPEC_OK)
    return rc;
  if (cli->args.json)
    rc = print_json(cli, &baked, err);
  else
    print_text(&baked);
  spec_baked_dispose(&baked);
  return rc;
}

const spec_command spec_cmd_bake = {
    "bake",
    "[options] --wheel FILE",
    "Write a wheel of triton with the overlay in it, which needs no triton-spec.",
    options,
    sizeof options / sizeof *options,
    0,
    0,
    run};
