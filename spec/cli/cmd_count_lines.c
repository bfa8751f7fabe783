/* cmd_count_lines.c: plumbing, called by count_lines.c. */
#include "cli/trunk_side.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "git/changed_lines.h"

/* One file's answer; what cannot be counted is "-". */
static int count(spec_cli *cli, spec_repository *repository, const char *blob, const char *path,
                 spec_buf *out) {
  spec_err ignored;
  const char *old, *new;
  size_t old_len, new_len;
  long added, removed;
  int rc = spec_repository_read(repository, cli->arena, &old, &old_len, blob, &ignored);
  if (rc == 0)
    rc = path == NULL ? SPEC_ENOMEM : spec_fs_read(cli->arena, &new, &new_len, path, &ignored);
  if (rc == 0)
    rc = spec_changed_lines(&added, &removed, old, old_len, new, new_len, &ignored);
  if (rc == 0)
    spec_buf_printf(out, "%ld,%ld ", added, removed);
  else if (rc != SPEC_ENOMEM)
    spec_buf_str(out, "- ");
  return rc == SPEC_ENOMEM ? rc : SPEC_OK;
}

static int run(spec_cli *cli, spec_err *err) {
  spec_repository *repository = NULL;
  spec_err reason = {0};
  spec_buf text = {0};
  const char *const *words = cli->args.words;
  if (cli->args.word_count % 2 != 1)
    return spec_fail(err, SPEC_EINVAL, "'count-lines' needs a trunk, and blobs with paths");
  int rc = spec_repository_open(&repository, cli->arena, words[0], &reason);
  if (rc != 0)
    spec_buf_printf(&text, "!%s", reason.what);
  for (size_t i = 1; rc == 0 && i < cli->args.word_count; i += 2)
    rc =
        count(cli, repository, words[i], spec_path_join(cli->arena, words[0], words[i + 1]), &text);
  spec_repository_free(repository);
  spec_buf_char(&text, '\n');
  bool whole = rc != SPEC_ENOMEM && !spec_buf_failed(&text);
  if (whole)
    spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
  return whole ? SPEC_OK : spec_fail_memory(err);
}

const spec_command spec_cmd_count_lines = {
    "count-lines",
    "<trunk> [<blob> <path>]...",
    "Plumbing: count how many lines of trunk files changed (run by triton-spec for its findings).",
    NULL,
    0,
    1,
    (size_t)-1,
    run};
