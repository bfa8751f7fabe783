/* cmd_export.c: the merged tree as a plain folder. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "export.h"

static const spec_cli_option options[] = {
    SPEC_CLI_PLAN_OPTIONS,
    {"--out", "DIR", "folder for the results", SPEC_CLI_TEXT, offsetof(spec_cli_args, out)},
    {"--links", NULL, "make absolute symbolic links instead of copies", SPEC_CLI_SWITCH,
     offsetof(spec_cli_args, links)},
    {"--reflink", NULL, "make copies that share their blocks with the originals", SPEC_CLI_SWITCH,
     offsetof(spec_cli_args, reflink)},
};

static void print_text(const char *dir, const spec_exported *e) {
  spec_buf text = {0};
  spec_buf_printf(&text, "%s: %zu files of the trunk, %zu of the overlay", dir, e->trunk_files,
                  e->vendor_files);
  if (e->removed > 0)
    spec_buf_printf(&text, ", %zu left out", e->removed);
  if (e->pruned > 0)
    spec_buf_printf(&text, "; %zu of an earlier export removed", e->pruned);
  spec_buf_char(&text, '\n');
  if (e->has_script)
    spec_buf_printf(&text,
                    "configure it with "
                    "-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES='%s/.triton-spec/overlay.cmake'\n",
                    dir);
  spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
}

static int print_json(spec_cli *cli, const char *dir, const spec_exported *e, spec_err *err) {
  json_t *root = json_object();
  int rc = spec_json_put(root, "out", spec_json_text(dir, NULL));
  rc |= spec_json_put(root, "trunk_files", json_integer((json_int_t)e->trunk_files));
  rc |= spec_json_put(root, "vendor_files", json_integer((json_int_t)e->vendor_files));
  rc |= spec_json_put(root, "removed", json_integer((json_int_t)e->removed));
  rc |= spec_json_put(root, "pruned", json_integer((json_int_t)e->pruned));
  rc |= spec_json_put(root, "has_script", json_boolean(e->has_script));
  rc |= spec_cli_add_findings(cli, root);
  rc = rc != 0 ? spec_fail_memory(err) : spec_cli_print_json(cli, root, err);
  json_decref(root);
  return rc;
}

static int write_export(spec_cli *cli, spec_plan *plan, const char *dir, spec_err *err) {
  const char *functions;
  spec_exported result;
  const spec_export_mode mode = cli->args.links     ? SPEC_EXPORT_LINKS
                                : cli->args.reflink ? SPEC_EXPORT_REFLINK
                                                    : SPEC_EXPORT_COPY;
  int rc = spec_cli_cmake_file(cli, &functions, "SpecExport.cmake", err);
  if (rc == 0)
    rc = spec_build_export(&result, plan, dir, mode, functions, err);
  if (rc != 0)
    return rc;
  if (cli->args.json)
    return print_json(cli, dir, &result, err);
  print_text(dir, &result);
  return SPEC_OK;
}

static int run(spec_cli *cli, spec_err *err) {
  const char *cwd, *dir = NULL;
  spec_plan *plan = NULL;
  if (cli->args.out == NULL)
    return spec_fail(err, SPEC_EINVAL, "'export' needs --out DIR");
  if (cli->args.links && cli->args.reflink)
    return spec_fail(err, SPEC_EINVAL, "'--links' and '--reflink' exclude each other");
  int rc = spec_fs_cwd(cli->arena, &cwd, err);
  if (rc == 0)
    rc = spec_cli_plan(cli, &plan, err);
  if (rc == 0 && (dir = spec_path_resolve(cli->arena, cwd, cli->args.out)) == NULL)
    rc = spec_fail_memory(err);
  if (rc == 0)
    rc = write_export(cli, plan, dir, err);
  spec_plan_free(plan);
  return rc;
}

const spec_command spec_cmd_export = {
    "export",
    "[options] --out DIR",
    "Write the merged tree, trunk and overlay, as a plain folder that builds without triton-spec.",
    options,
    sizeof options / sizeof *options,
    0,
    0,
    run};
