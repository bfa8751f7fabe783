/* cmd_log.c: the SPEC log of a configured build. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include <string.h>

static const spec_cli_option options[] = {
    {"--json", NULL, "print the manifest", SPEC_CLI_SWITCH, offsetof(spec_cli_args, json)},
};

static int find_record(spec_cli *cli, const char **out, const char *build, spec_err *err) {
  const char *name = cli->args.json ? "spec/manifest.json" : "spec/log.txt";
  const char *path = spec_path_join(cli->arena, build, name);
  if (path == NULL)
    return spec_fail_memory(err);
  spec_ftype type;
  int rc = spec_fs_type(&type, path, err);
  if (rc != 0)
    return rc;
  if (type != SPEC_FT_FILE) {
    spec_fail(err, SPEC_ENOTFOUND, "'%s' is not a build with an overlay", build);
    spec_fail_where(err, "%s", path);
    return spec_fail_mend(err, "configure it with the arguments that 'triton-spec cmake-args' "
                               "prints");
  }
  *out = path;
  return SPEC_OK;
}

static int run(spec_cli *cli, spec_err *err) {
  const char *path = NULL, *text = NULL;
  size_t len = 0;
  const char *build = cli->args.word_count > 0 ? cli->args.words[0] : ".";
  int rc = find_record(cli, &path, build, err);
  if (rc == 0)
    rc = spec_fs_read(cli->arena, &text, &len, path, err);
  if (rc != 0)
    return rc;
  if (cli->args.json) {
    spec_cli_print(text);
    return SPEC_OK;
  }
  /* The form in which users know it from CMake's output. */
  for (const char *line = text; *line != '\0';) {
    size_t size = strcspn(line, "\n");
    char *copy = spec_arena_printf(cli->arena, "-- %.*s\n", (int)size, line);
    if (copy == NULL)
      return spec_fail_memory(err);
    spec_cli_print(copy);
    line += size + (line[size] == '\n');
  }
  return SPEC_OK;
}

const spec_command spec_cmd_log = {"log",
                                   "[options] [<build folder>]",
                                   "Print the SPEC log of a configured build.",
                                   options,
                                   sizeof options / sizeof *options,
                                   0,
                                   1,
                                   run};
