/* cmake_files.c: where this program's CMake files are. */
#include "cli/cli.h"

#include "base/err.h"

int spec_cli_cmake_file(spec_cli *cli, const char **out, const char *name, spec_err *err) {
  static const char *const places[] = {SPEC_CMAKE_INSTALL_DIR, SPEC_CMAKE_SOURCE_DIR};
  int rc = spec_cli_own_file(cli, out, places, name, err);
  if (rc != 0 || *out != NULL)
    return rc;
  spec_fail(err, SPEC_ENOTFOUND, "%s is neither installed nor in the source tree", name);
  return spec_fail_mend(err, "install the project: cmake --install <build>");
}
