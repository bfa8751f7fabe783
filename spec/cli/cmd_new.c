/* cmd_new.c: the folder of a new backend, complete and sound. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/new_backend.h"

static const spec_cli_option options[] = {
    {"--trunk", "DIR", "root of the trunk (default: the current folder)", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, trunk)},
    {"--in", "DIR", "where the backend's folder is made (default: the current folder)",
     SPEC_CLI_TEXT, offsetof(spec_cli_args, in)},
};

/* The templates' folder: installed beside this program, or in its sources. */
static int find_templates(spec_cli *cli, const char **out, spec_err *err) {
  static const char *const places[] = {SPEC_TEMPLATES_INSTALL_DIR, SPEC_TEMPLATES_SOURCE_DIR};
  const char *one;
  int rc = spec_cli_own_file(cli, &one, places, "spec.ini", err);
  if (rc == 0 && one == NULL) {
    spec_fail(err, SPEC_ENOTFOUND, "the templates of a backend are not installed");
    return spec_fail_mend(err, "install the whole project: cmake --install <build>");
  }
  if (rc == 0 && (*out = spec_path_dirname(cli->arena, one)) == NULL)
    rc = spec_fail_memory(err);
  return rc;
}

static void print_text(const spec_cli *cli, const spec_new_backend *made, size_t files) {
  spec_buf text = {0};
  spec_buf_printf(&text,
                  "%s/%s: %zu files\nread %s/%s/README.md: it builds the overlay and runs a "
                  "kernel\n",
                  made->parent, made->name, files, cli->args.in != NULL ? cli->args.in : ".",
                  made->name);
  spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
}

static int run(spec_cli *cli, spec_err *err) {
  const char *cwd;
  size_t files;
  spec_new_backend made = {.name = cli->args.words[0], .on_event = spec_cli_on_event, .user = cli};
  int rc = spec_fs_cwd(cli->arena, &cwd, err);
  if (rc == 0)
    rc = find_templates(cli, &made.templates, err);
  if (rc != 0)
    return rc;
  made.trunk = spec_path_resolve(cli->arena, cwd, cli->args.trunk != NULL ? cli->args.trunk : ".");
  made.parent = spec_path_resolve(cli->arena, cwd, cli->args.in != NULL ? cli->args.in : ".");
  if (made.trunk == NULL || made.parent == NULL)
    return spec_fail_memory(err);
  rc = spec_new_backend_write(cli->arena, &files, &made, err);
  if (rc == 0)
    print_text(cli, &made, files);
  return rc;
}

const spec_command spec_cmd_new = {
    "new",
    "[options] <name>",
    "Write the folder of a new backend: overrides, device, tests, README.",
    options,
    sizeof options / sizeof *options,
    1,
    1,
    run};
