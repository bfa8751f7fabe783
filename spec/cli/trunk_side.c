/* trunk_side.c */
#include "cli/trunk_side.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"

int spec_cli_trunk(spec_cli *cli, const char **out, spec_err *err) {
  const char *cwd;
  spec_ftype type;
  int rc = spec_fs_cwd(cli->arena, &cwd, err);
  if (rc != 0)
    return rc;
  const char *trunk = cli->args.trunk != NULL ? cli->args.trunk : ".";
  if ((trunk = spec_path_resolve(cli->arena, cwd, trunk)) == NULL)
    return spec_fail_memory(err);
  rc = spec_fs_type(&type, trunk, err);
  if (rc == 0 && type != SPEC_FT_DIR) {
    spec_fail(err, SPEC_ENOTFOUND, "the trunk '%s' is not a folder", trunk);
    return spec_fail_mend(err, "name the root of the Triton source tree with --trunk");
  }
  *out = trunk;
  return rc;
}

int spec_cli_backend(spec_cli *cli, const spec_backend **out, spec_err *err) {
  spec_options options;
  const char *cwd;
  int rc = spec_cli_options(cli, &options, err);
  if (rc == 0)
    rc = spec_fs_cwd(cli->arena, &cwd, err);
  if (rc != 0)
    return rc;
  const char **roots = spec_arena_array(cli->arena, options.root_count, sizeof *roots);
  if (roots == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < options.root_count; i++)
    if ((roots[i] = spec_path_resolve(cli->arena, cwd, options.roots[i])) == NULL)
      return spec_fail_memory(err);
  spec_backend *layers;
  size_t count;
  rc = spec_backend_layers(cli->arena, &layers, &count, options.backend, roots, options.root_count,
                           err);
  if (rc == 0)
    *out = &layers[count - 1];
  return rc;
}

int spec_cli_repository(spec_cli *cli, spec_repository **out, spec_err *err) {
  const char *folder = cli->args.repository;
  int rc = folder != NULL ? SPEC_OK : spec_cli_trunk(cli, &folder, err);
  return rc != 0 ? rc : spec_repository_open(out, cli->arena, folder, err);
}

int spec_cli_older(spec_cli *cli, const char **out, spec_err *err) {
  const char *cwd;
  spec_ftype type;
  *out = NULL;
  if (cli->args.base == NULL)
    return SPEC_OK;
  int rc = spec_fs_cwd(cli->arena, &cwd, err);
  const char *dir = rc == 0 ? spec_path_resolve(cli->arena, cwd, cli->args.base) : NULL;
  if (rc == 0)
    rc = dir == NULL ? spec_fail_memory(err) : spec_fs_type(&type, dir, err);
  if (rc != 0)
    return rc;
  if (type != SPEC_FT_DIR)
    return spec_fail(err, SPEC_ENOTFOUND, "the older trunk '%s' is not a folder", dir);
  *out = dir;
  return SPEC_OK;
}

void spec_cli_leave_out(spec_cli *cli, spec_revision *revision, const spec_backend *backend) {
  const char *trunk = "";
  spec_err ignored;
  revision->without =
      spec_cli_trunk(cli, &trunk, &ignored) == 0 ? spec_path_below(backend->dir, trunk) : NULL;
}
