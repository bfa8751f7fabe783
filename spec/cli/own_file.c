/* own_file.c: files that come with this program. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"

int spec_cli_own_file(spec_cli *cli, const char **out, const char *const places[2],
                      const char *name, spec_err *err) {
  const char *self;
  *out = NULL;
  int rc = spec_fs_real(cli->arena, &self, cli->self, err);
  if (rc != 0)
    return rc;
  const char *dir = spec_path_dirname(cli->arena, self);
  for (size_t i = 0; dir != NULL && i < 2; i++) {
    const char *folder = spec_path_resolve(cli->arena, dir, places[i]);
    const char *file = folder == NULL ? NULL : spec_path_join(cli->arena, folder, name);
    spec_ftype type = SPEC_FT_NONE;
    if (file == NULL)
      return spec_fail_memory(err);
    rc = spec_fs_type(&type, file, err);
    if (rc == 0 && type == SPEC_FT_FILE)
      *out = file;
    if (rc != 0 || type == SPEC_FT_FILE)
      return rc;
  }
  return SPEC_OK;
}
