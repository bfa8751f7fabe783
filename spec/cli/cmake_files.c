/* cmake_files.c: where this program's CMake files are. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"

int spec_cli_cmake_file(spec_cli *cli, const char **out, const char *name, spec_err *err) {
  static const char *const places[] = {SPEC_CMAKE_INSTALL_DIR, SPEC_CMAKE_SOURCE_DIR};
  const char *self, *dir;
  int rc = spec_fs_real(cli->arena, &self, cli->self, err);
  if (rc != 0)
    return rc;
  dir = spec_path_dirname(cli->arena, self);
  for (size_t i = 0; dir != NULL && i < sizeof places / sizeof *places; i++) {
    const char *folder = spec_path_resolve(cli->arena, dir, places[i]);
    const char *file = folder == NULL ? NULL : spec_path_join(cli->arena, folder, name);
    spec_ftype type = SPEC_FT_NONE;
    if (file == NULL)
      return spec_fail_memory(err);
    rc = spec_fs_type(&type, file, err);
    if (rc != 0 || type == SPEC_FT_FILE) {
      *out = file;
      return rc;
    }
  }
  spec_fail(err, SPEC_ENOTFOUND, "%s is neither installed nor in the source tree", name);
  return spec_fail_mend(err, "install the project: cmake --install <build>");
}
