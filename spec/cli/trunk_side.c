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

int spec_cli_repository_or_none(spec_cli *cli, spec_repository **out, spec_err *err) {
  spec_err ignored = {0};
  if (cli->args.rev != NULL || cli->args.repository != NULL)
    return spec_cli_repository(cli, out, err);
  int rc = spec_cli_repository(cli, out, &ignored);
  if (rc == SPEC_ENOMEM)
    return spec_fail_memory(err);
  return rc == 0 ? rc : spec_repository_without(out, cli->arena, err);
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

static bool is_named_by(const spec_vendor_file *file, const char *word) {
  return spec_path_below(file->trunk, word) != NULL || spec_path_below(file->overlay, word) != NULL;
}

bool spec_cli_names(const spec_cli *cli, const spec_vendor_file *file) {
  bool named = cli->args.word_count == 0;
  for (size_t i = 0; !named && i < cli->args.word_count; i++)
    named = is_named_by(file, cli->args.words[i]);
  return named;
}

int spec_cli_check_names(const spec_cli *cli, const spec_backend *backend,
                         const spec_vendor_file *files, size_t count, spec_err *err) {
  for (size_t i = 0; i < cli->args.word_count; i++) {
    bool known = false;
    for (size_t f = 0; !known && f < count; f++)
      known = is_named_by(&files[f], cli->args.words[i]);
    if (known)
      continue;
    spec_fail(err, SPEC_ENOTFOUND, "backend '%s' has no override '%s'", backend->name,
              cli->args.words[i]);
    return spec_fail_mend(err, "name it by its path in the trunk or in the backend's folder, or "
                               "name a folder of either");
  }
  return SPEC_OK;
}
