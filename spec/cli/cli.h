/* cli.h: what the commands share. */
#ifndef SPEC_CLI_CLI_H
#define SPEC_CLI_CLI_H

#include "base/arena.h"
#include "base/json.h"
#include "spec.h"

/* Exit status of every command. */
enum { SPEC_EXIT_CLEAN = 0, SPEC_EXIT_FINDINGS = 1, SPEC_EXIT_FAILED = 2 };

/* An option of a command.  One table drives parsing, usage and completion. */
typedef struct spec_cli_option {
  const char *name;  /* "--trunk" */
  const char *value; /* "DIR", or NULL for a switch */
  const char *help;
  enum { SPEC_CLI_TEXT, SPEC_CLI_SWITCH, SPEC_CLI_LIST } type;
  size_t offset; /* into spec_cli_args */
} spec_cli_option;

typedef struct spec_cli_args {
  const char *trunk, *backend, *out, *in, *targets, *cmake, *build, *python, *wheel, *label, *sarif;
  const char *rev, *to, *base, *from, *fork, *repository, *drift; /* of the git side, mostly */
  const char **roots;                                             /* --root, in order */
  size_t root_count;
  bool json, all, warn_redundant, warn_unused, help, null_separated, links, reflink, strict, quiet,
      user, installed, clear;
  bool check, keep_going, dry_run, resume, abort, accept, allow_rest, all_parents;
  const char **words; /* what is no option */
  size_t word_count;
} spec_cli_args;

typedef struct spec_cli {
  spec_arena *arena;
  spec_cli_args args;
  bool color;
  bool trace;       /* the plan keeps what it looks at */
  bool installed;   /* the trunk is an installed package, which has no third_party */
  bool errors_only; /* what is less severe was reported by an earlier step */
  json_t *findings; /* gathered when --json, else NULL */
  bool answered;    /* JSON was printed, with the findings in it */
  bool failed;      /* memory ran out while reporting */
  const char *self; /* this program's path, as started */
} spec_cli;

/* spec_command.max_words of a command whose words are a program's command line: from the first one
 * on they are taken as they are, options too. */
#define SPEC_CLI_PROGRAM ((size_t)-2)

typedef struct spec_command {
  const char *name;
  const char *usage;   /* behind the name: "[options] <trunk path>" */
  const char *summary; /* one line */
  const spec_cli_option *options;
  size_t option_count;
  size_t min_words, max_words;
  int (*run)(spec_cli *cli, spec_err *err); /* 0, or a spec code; NULL: of the other program */
} spec_command;

/* A program: its commands, as --help lists them. */
typedef struct spec_program {
  const spec_command *const *commands;
  size_t count;
  /* Does what a command without a function stands for; argv begins with its name. */
  int (*hand_on)(spec_cli *cli, char **argv, spec_err *err);
} spec_program;

/* entry.c: the whole of main(). */
int spec_cli_main(const spec_program *program, int argc, char **argv);

extern const spec_command spec_cmd_plan, spec_cmd_lint, spec_cmd_why, spec_cmd_log,
    spec_cmd_cmake_args, spec_cmd_stage, spec_cmd_place, spec_cmd_check, spec_cmd_verify,
    spec_cmd_build, spec_cmd_export, spec_cmd_bake, spec_cmd_cache, spec_cmd_policy, spec_cmd_wait,
    spec_cmd_run, spec_cmd_enable, spec_cmd_disable, spec_cmd_new, spec_cmd_kernel;
/* of triton-spec-git */
extern const spec_command spec_cmd_lock, spec_cmd_status, spec_cmd_bisect, spec_cmd_count_lines;
extern const spec_command spec_cmd_upgrade, spec_cmd_extract;
extern const spec_command spec_cmd_patchify, spec_cmd_edit;

#define SPEC_CLI_DRIFT_OPTION                                                                \
  {"--drift", "MODE",                                                                        \
   "what to do when the trunk is not the one of spec.lock: ignore, warn or error (default: " \
   "warn)",                                                                                  \
   SPEC_CLI_TEXT, offsetof(spec_cli_args, drift)}

#define SPEC_CLI_JSON_OPTION \
  {"--json", NULL, "print JSON", SPEC_CLI_SWITCH, offsetof(spec_cli_args, json)}

/* Where trunk and overlay lie. */
#define SPEC_CLI_PLACE_OPTIONS                                                         \
  {"--trunk", "DIR", "root of the trunk (default: the current folder)", SPEC_CLI_TEXT, \
   offsetof(spec_cli_args, trunk)},                                                    \
      {"--backend", "NAME", "the backend (default: $FLAGTREE_BACKEND)", SPEC_CLI_TEXT, \
       offsetof(spec_cli_args, backend)},                                              \
  {                                                                                    \
    "--root", "DIR",                                                                   \
        "a further overlay root; may be given several times (also: $SPEC_PATH, "       \
        "$TRITON_PLUGIN_DIRS)",                                                        \
        SPEC_CLI_LIST, offsetof(spec_cli_args, roots)                                  \
  }

/* The options that every planning command has. */
#define SPEC_CLI_PLAN_OPTIONS                                                         \
  SPEC_CLI_PLACE_OPTIONS,                                                             \
      {"--warn-redundant", NULL, "overrides identical to the trunk's file only warn", \
       SPEC_CLI_SWITCH, offsetof(spec_cli_args, warn_redundant)},                     \
      SPEC_CLI_DRIFT_OPTION, SPEC_CLI_JSON_OPTION

/* Of those that can do without a source tree. */
#define SPEC_CLI_INSTALLED_OPTION                           \
  {"--installed", NULL,                                     \
   "the trunk is no source tree but the folder that holds " \
   "triton/",                                               \
   SPEC_CLI_SWITCH, offsetof(spec_cli_args, installed)}

/* options.c */
int spec_cli_parse(spec_cli *cli, const spec_command *command, int argc, char **argv,
                   spec_err *err);
void spec_cli_usage(spec_buf *out, const spec_command *command);

/* planning.c: a plan from options and environment; findings are printed or
 * gathered.  As spec_plan_new: on SPEC_EREFUSED *out is set. */
int spec_cli_plan(spec_cli *cli, spec_plan **out, spec_err *err);
/* What that plan is made of. */
int spec_cli_options(spec_cli *cli, spec_options *out, spec_err *err);

/* count_lines.c: how many lines of trunk files changed, asked of triton-spec-git; user is the
 * spec_cli. */
int spec_cli_count_lines(void *user, spec_changed *files, size_t count, const char **reason,
                         spec_err *err);

/* own_file.c: a file that is in one of two places, each relative to this program's own folder;
 * NULL: in neither. */
int spec_cli_own_file(spec_cli *cli, const char **out, const char *const places[2],
                      const char *name, spec_err *err);

/* cmake_files.c: one of this program's CMake files: installed beside its prefix, or in its
 * sources.  SPEC_ENOTFOUND. */
int spec_cli_cmake_file(spec_cli *cli, const char **out, const char *name, spec_err *err);

/* output.c */
void spec_cli_print(const char *text);
int spec_cli_print_json(spec_cli *cli, const json_t *value, spec_err *err);
/* {"findings": [...]} is added to root; takes over nothing. */
int spec_cli_add_findings(spec_cli *cli, json_t *root);
void spec_cli_on_event(void *cli, const spec_event *event);

#endif
