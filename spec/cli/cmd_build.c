/* cmd_build.c: builds a configured trunk and proves what the build used. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "base/process.h"
#include "cli/verifying.h"
#include "compile_commands.h"
#include "core/run_lock.h"

static const spec_cli_option options[] = {
    {"--cmake", "PATH", "the CMake that will be used (default: cmake)", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, cmake)},
    SPEC_CLI_JSON_OPTION,
};

/* cmake --build <folder> <words> */
static int run_cmake(spec_cli *cli, const char *folder, spec_err *err) {
  size_t n = 0, words = cli->args.word_count;
  const char **argv = spec_arena_array(cli->arena, words + 4, sizeof *argv);
  if (argv == NULL)
    return spec_fail_memory(err);
  argv[n++] = cli->args.cmake != NULL ? cli->args.cmake : "cmake";
  argv[n++] = "--build";
  argv[n++] = folder;
  for (size_t i = 1; i < words; i++)
    argv[n++] = cli->args.words[i];
  int status = 0;
  int rc = spec_process_run(&status, cli->args.json, argv, err);
  if (rc == 0 && status != 0)
    rc = spec_fail(err, SPEC_EIO, "the build in '%s' failed with status %d", folder, status);
  return rc;
}

/* Keeps other builds out: Ninja itself does not. A folder that CMake never saw is left alone; CMake
 * will say what is wrong with it. */
static int lock_build(spec_cli *cli, spec_run_lock *lock, const char *folder, spec_err *err) {
  const char *cache = spec_path_join(cli->arena, folder, "CMakeCache.txt");
  if (cache == NULL)
    return spec_fail_memory(err);
  spec_ftype type;
  int rc = spec_fs_type(&type, cache, err);
  if (rc == 0 && type == SPEC_FT_FILE)
    rc = spec_run_lock_take(lock, SPEC_RUN_BUILD, folder, spec_cli_on_event, cli, err);
  return rc;
}

static int build(spec_cli *cli, const char *folder, spec_err *err) {
  int rc = run_cmake(cli, folder, err);
  if (rc == 0)
    return spec_cli_verify(cli, folder, err);
  spec_err later = {0}; /* whoever has to mend the sources needs the editor; err says enough */
  (void)spec_build_compile_commands(folder, &later);
  return rc;
}

static int run(spec_cli *cli, spec_err *err) {
  const char *folder = cli->args.words[0];
  spec_run_lock lock = {-1};
  int rc = lock_build(cli, &lock, folder, err);
  if (rc == 0)
    rc = build(cli, folder, err);
  spec_run_lock_release(&lock);
  return rc;
}

const spec_command spec_cmd_build = {
    "build",
    "[options] <build folder> [-- <arguments of cmake --build>...]",
    "Build a configured trunk, then prove what the build used, as verify does.",
    options,
    sizeof options / sizeof *options,
    1,
    (size_t)-1,
    run};
