/* count_lines.c: asks triton-spec-git, which alone can read the older texts. */
#include "cli/cli.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "base/process.h"
#include "cli/git_commands.h"
#include <stdlib.h>
#include <string.h>

/* Room for one file's answer, "added,removed ". */
enum { ANSWER = 48 };

/* The answer is one line: for each file "added,removed" or "-"; or '!' and the reason why there is
 * none for any. */
static void read_answer(char *text, spec_changed *files, size_t count, const char **reason) {
  if (*text == '!') {
    *reason = text + 1;
    return;
  }
  for (size_t i = 0; i < count && *text != '\0'; i++) {
    char *end;
    long added = strtol(text, &end, 10);
    if (end != text && *end == ',') {
      files[i].added = added;
      files[i].removed = strtol(end + 1, &end, 10);
    } else {
      *reason = "the repository does not have the older text";
    }
    text = end + strcspn(end, " ");
    text += strspn(text, " ");
  }
}

/* Asks for all files at once. */
static int ask(spec_cli *cli, char *answer, size_t size, const spec_changed *files, size_t count,
               spec_err *err) {
  const char *program, *cwd;
  int rc = spec_cli_git_program(cli, &program, err);
  if (rc == 0)
    rc = spec_fs_cwd(cli->arena, &cwd, err);
  if (rc != 0)
    return rc;
  const char **words = spec_arena_array(cli->arena, 2 * count + 5, sizeof *words);
  const char *trunk =
      spec_path_resolve(cli->arena, cwd, cli->args.trunk != NULL ? cli->args.trunk : ".");
  if (words == NULL || trunk == NULL)
    return spec_fail_memory(err);
  size_t n = 0;
  words[n++] = program;
  words[n++] = "count-lines";
  words[n++] = "--";
  words[n++] = trunk;
  for (size_t i = 0; i < count; i++) {
    words[n++] = files[i].blob;
    words[n++] = files[i].trunk;
  }
  return spec_process_first_line(answer, size, words, err);
}

int spec_cli_count_lines(void *user, spec_changed *files, size_t count, const char **reason,
                         spec_err *err) {
  spec_cli *cli = user;
  spec_err failed = {0};
  size_t size = count * ANSWER + 1024;
  if (cli->errors_only) /* it was counted and said by an earlier step */
    return SPEC_OK;
  char *answer = spec_arena_alloc(cli->arena, size);
  if (answer == NULL)
    return spec_fail_memory(err);
  struct spec_looks *before = spec_fs_trace(NULL); /* no plan depends on where the program is */
  int rc = ask(cli, answer, size, files, count, &failed);
  (void)spec_fs_trace(before);
  if (rc == 0)
    read_answer(answer, files, count, reason);
  else
    *reason = spec_arena_strdup(cli->arena, failed.what);
  return rc == SPEC_ENOMEM || *reason == NULL ? spec_fail_memory(err) : SPEC_OK;
}
