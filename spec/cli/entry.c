/* entry.c: how every command begins and ends. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include "base/err.h"
#include "base/event.h"
#include "base/path.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_help(const spec_program *program) {
  printf("usage: triton-spec <command> [options]\n\n"
         "Puts a vendor's overrides over an unedited Triton.\n\ncommands:\n");
  for (size_t i = 0; i < program->count; i++)
    printf("  %-12s %s\n", program->commands[i]->name, program->commands[i]->summary);
  printf("\n'triton-spec <command> --help' lists a command's options; 'man triton-spec' has all.\n"
         "exit status: 0 clean, 1 findings, 2 could not do it\n");
}

static const spec_command *find_command(const spec_program *program, const char *name) {
  for (size_t i = 0; i < program->count; i++)
    if (strcmp(program->commands[i]->name, name) == 0)
      return program->commands[i];
  return NULL;
}

static int fail_unknown(const spec_program *program, const char *name, spec_err *err) {
  const char *near = NULL;
  size_t best = strlen(name) < 4 ? strlen(name) : 4; /* alike in one byte at least */
  for (size_t i = 0; i < program->count; i++) {
    size_t distance = spec_path_distance(name, program->commands[i]->name, best);
    if (distance < best) {
      best = distance;
      near = program->commands[i]->name;
    }
  }
  spec_fail(err, SPEC_EINVAL, "there is no command '%s'", name);
  return near != NULL ? spec_fail_mend(err, "did you mean '%s'?", near)
                      : spec_fail_mend(err, "see 'triton-spec --help'");
}

/* Says what stopped the command, in the form that was asked for. */
static void print_error(const spec_cli *cli, const spec_err *err) {
  spec_buf text = {0};
  bool whole = true;
  if (cli->args.json) {
    json_t *root = json_object();
    whole = spec_json_put(root, "error", spec_err_json(err)) == 0;
    if (cli->findings != NULL)
      whole &= spec_json_put(root, "findings", json_incref(cli->findings)) == 0;
    whole &= spec_json_dump(&text, root, NULL) == 0;
    json_decref(root);
  } else {
    spec_err_text(&text, err, cli->color);
    whole = !spec_buf_failed(&text);
  }
  (void)fflush(stdout); /* what was printed comes first, also where both streams are one file */
  if (whole)
    fputs(spec_buf_text(&text), cli->args.json ? stdout : stderr);
  else /* no memory even for that */
    fprintf(stderr, "error[%s]: %s\n", spec_code_name(err->code), err->what);
  spec_buf_dispose(&text);
}

static int exit_status(int code) {
  if (code == 0)
    return SPEC_EXIT_CLEAN;
  return code == SPEC_EREFUSED ? SPEC_EXIT_FINDINGS : SPEC_EXIT_FAILED;
}

static int run_command(const spec_program *program, spec_cli *cli, int argc, char **argv,
                       spec_err *err) {
  const spec_command *command = find_command(program, argv[1]);
  if (command == NULL)
    return fail_unknown(program, argv[1], err);
  if (command->run == NULL)
    return program->hand_on(cli, argv + 1, err);
  int rc = spec_cli_parse(cli, command, argc - 2, argv + 2, err);
  if (rc != 0)
    return rc;
  if (cli->args.help) {
    spec_buf text = {0};
    spec_cli_usage(&text, command);
    spec_cli_print(spec_buf_text(&text));
    spec_buf_dispose(&text);
    return SPEC_OK;
  }
  if (cli->args.json && (cli->findings = json_array()) == NULL)
    return spec_fail_memory(err);
  rc = command->run(cli, err);
  return rc == 0 && cli->failed ? spec_fail_memory(err) : rc;
}

/* A JSON answer already holds the findings; saying "refused" again would make
 * it two documents. */
static bool is_answered(const spec_cli *cli, int code) {
  return code == SPEC_EREFUSED && cli->args.json && cli->answered;
}

/* Output that did not reach its file must not look like success. */
static int close_output(int status) {
  if (fflush(stdout) == 0 && ferror(stdout) == 0)
    return status;
  perror("triton-spec: cannot write the output");
  return SPEC_EXIT_FAILED;
}

int spec_cli_main(const spec_program *program, int argc, char **argv) {
  if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_help(program);
    return close_output(argc < 2 ? SPEC_EXIT_FAILED : SPEC_EXIT_CLEAN);
  }
  if (strcmp(argv[1], "--version") == 0) {
    puts("triton-spec " SPEC_VERSION);
    return close_output(SPEC_EXIT_CLEAN);
  }
  spec_json_init();
  spec_err err = {0};
  spec_cli cli = {.color = isatty(STDERR_FILENO) && getenv("NO_COLOR") == NULL};
  cli.self = access("/proc/self/exe", F_OK) == 0 ? "/proc/self/exe" : argv[0];
  int rc = spec_arena_new(&cli.arena, &err);
  if (rc == 0)
    rc = run_command(program, &cli, argc, argv, &err);
  if (rc != 0 && !is_answered(&cli, rc))
    print_error(&cli, &err);
  json_decref(cli.findings);
  spec_arena_free(cli.arena);
  return close_output(exit_status(rc));
}
