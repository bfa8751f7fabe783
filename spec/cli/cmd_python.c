/* cmd_python.c: run, enable, disable and kernel are for a Python to do: its package triton_spec
 * does them. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "base/process.h"
#include <stdlib.h>

#define PYTHON_OPTION                                                            \
  {"--python", "FILE",                                                           \
   "the Python that will be used (default: $VIRTUAL_ENV/bin/python3, else that " \
   "on PATH)",                                                                   \
   SPEC_CLI_TEXT, offsetof(spec_cli_args, python)}

static const spec_cli_option run_options[] = {
    PYTHON_OPTION,
    {"--backend", "NAME", "the backend (default: $FLAGTREE_BACKEND)", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, backend)},
    {"--root", "DIR",
     "a further overlay root; may be given several times (also: $SPEC_PATH, $TRITON_PLUGIN_DIRS)",
     SPEC_CLI_LIST, offsetof(spec_cli_args, roots)},
    {"--strict", NULL, "refuse replaced functions that no longer take the trunk's calls",
     SPEC_CLI_SWITCH, offsetof(spec_cli_args, strict)},
    {"--quiet", NULL, "nothing of triton-spec on standard error", SPEC_CLI_SWITCH,
     offsetof(spec_cli_args, quiet)},
};

static const spec_cli_option kernel_options[] = {PYTHON_OPTION};

static const spec_cli_option site_options[] = {
    PYTHON_OPTION,
    {"--user", NULL, "in the user's site-packages, not the environment's", SPEC_CLI_SWITCH,
     offsetof(spec_cli_args, user)},
};

/* python3 -m triton_spec, but that a Python without the package says what to do, and fails with the
 * status of a command that could not be done. */
static const char start[] =
    "import sys\n"
    "try:\n"
    "    from triton_spec.__main__ import main\n"
    "except ModuleNotFoundError as error:\n"
    "    print(f'error[not-found]: {error}\\n  at: {sys.executable}\\n'\n"
    "          '  mend: pip install triton-spec for this Python, or give --python', "
    "file=sys.stderr)\n"
    "    sys.exit(2)\n"
    "sys.exit(main())\n";

/* The words of a command line under way. */
typedef struct word_list {
  const char **items;
  size_t count;
} word_list;

static void add(word_list *words, const char *word) {
  words->items[words->count++] = word;
}

static int find_python(spec_cli *cli, const char **out, spec_err *err) {
  const char *environment = getenv("VIRTUAL_ENV");
  if (cli->args.python != NULL || environment == NULL || *environment == '\0') {
    *out = cli->args.python != NULL ? cli->args.python : "python3";
    return SPEC_OK;
  }
  const char *python = spec_path_join(cli->arena, environment, "bin/python3");
  if (python == NULL)
    return spec_fail_memory(err);
  spec_ftype type;
  int rc = spec_fs_type(&type, python, err);
  if (rc != 0)
    return rc;
  if (type == SPEC_FT_NONE) {
    spec_fail(err, SPEC_ENOTFOUND, "the active virtual environment has no python3");
    spec_fail_where(err, "%s", python);
    return spec_fail_mend(err, "give --python FILE, or leave the environment: deactivate");
  }
  *out = python;
  return SPEC_OK;
}

/* Replaces this process by the Python that does the command. */
static int start_python(spec_cli *cli, const char *command, spec_err *err) {
  const spec_cli_args *args = &cli->args;
  word_list words = {.items =
                         spec_arena_array(cli->arena, 16 + 2 * args->root_count + args->word_count,
                                          sizeof(const char *))};
  const char *python = NULL;
  int rc = words.items == NULL ? spec_fail_memory(err) : find_python(cli, &python, err);
  if (rc != 0)
    return rc;
  add(&words, python);
  add(&words, "-c");
  add(&words, start);
  add(&words, command);
  if (args->backend != NULL) {
    add(&words, "--backend");
    add(&words, args->backend);
  }
  for (size_t i = 0; i < args->root_count; i++) {
    add(&words, "--root");
    add(&words, args->roots[i]);
  }
  if (args->strict)
    add(&words, "--strict");
  if (args->quiet)
    add(&words, "--quiet");
  if (args->user)
    add(&words, "--user");
  if (args->word_count > 0)
    add(&words, "--");
  for (size_t i = 0; i < args->word_count; i++)
    add(&words, args->words[i]);
  words.items[words.count] = NULL;
  return spec_process_replace(words.items, err);
}

static int run(spec_cli *cli, spec_err *err) {
  return start_python(cli, "run", err);
}

static int enable(spec_cli *cli, spec_err *err) {
  return start_python(cli, "enable", err);
}

static int disable(spec_cli *cli, spec_err *err) {
  return start_python(cli, "disable", err);
}

static int kernel(spec_cli *cli, spec_err *err) {
  return start_python(cli, "kernel", err);
}

const spec_command spec_cmd_kernel = {
    "kernel",
    "[options] <command> <file> [<arguments>...]",
    "Load a kernel from a file of any level of its compilation: run, resume, dissect, measure it.",
    kernel_options,
    sizeof kernel_options / sizeof *kernel_options,
    1,
    SPEC_CLI_PROGRAM,
    kernel};

const spec_command spec_cmd_run = {
    "run",
    "[options] (<script.py> | -m <module> | -c <code>) [<arguments>...]",
    "Run a Python program, and all Pythons that it starts, with the overlay over their triton.",
    run_options,
    sizeof run_options / sizeof *run_options,
    1,
    SPEC_CLI_PROGRAM,
    run};

const spec_command spec_cmd_enable = {
    "enable",
    "[options]",
    "Put the overlay of $FLAGTREE_BACKEND over the triton of a Python from now on.",
    site_options,
    sizeof site_options / sizeof *site_options,
    0,
    0,
    enable};

const spec_command spec_cmd_disable = {"disable",
                                       "[options]",
                                       "Take back what enable has done.",
                                       site_options,
                                       sizeof site_options / sizeof *site_options,
                                       0,
                                       0,
                                       disable};
