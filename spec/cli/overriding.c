/* overriding.c */
#include "cli/overriding.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/journal.h"
#include <string.h>

/* --rev and --repository need a repository; a folder does without, and then no commit is known. */
static int open_trunk(spec_overriding *o, spec_err *err) {
  spec_cli *cli = o->cli;
  spec_err ignored = {0};
  bool must = cli->args.rev != NULL || cli->args.repository != NULL;
  o->from.is_named = cli->args.rev != NULL;
  int rc = spec_cli_repository(cli, &o->from.repository, must ? err : &ignored);
  if (rc != 0 && (must || rc == SPEC_ENOMEM))
    return rc;
  if (rc != 0)
    rc = spec_repository_without(&o->from.repository, cli->arena, err);
  else if (spec_repository_resolve(o->from.repository, &o->head, "HEAD", &ignored) == SPEC_OK)
    o->from.head = &o->head;
  if (rc == 0 && o->from.is_named)
    return spec_repository_resolve(o->from.repository, &o->from.trunk, cli->args.rev, err);
  const char *folder;
  if (rc == 0)
    rc = spec_cli_trunk(cli, &folder, err);
  if (rc == 0)
    spec_repository_folder(&o->from.trunk, folder, false);
  return rc;
}

/* What an unfinished upgrade would take back must not be changed under it. */
static int check_upgrade(const spec_overriding *o, spec_err *err) {
  const char *journal = spec_path_join(o->cli->arena, o->backend->dir, SPEC_JOURNAL_DIR);
  spec_ftype type;
  int rc = journal == NULL ? spec_fail_memory(err) : spec_fs_link_type(&type, journal, err);
  if (rc != 0 || type == SPEC_FT_NONE)
    return rc;
  spec_fail(err, SPEC_EBUSY, "an upgrade of backend '%s' is not finished", o->backend->name);
  return spec_fail_mend(err, "end it with 'triton-spec upgrade --continue' or '--abort'");
}

int spec_overriding_open(spec_overriding *out, spec_cli *cli, spec_err *err) {
  *out = (spec_overriding){.cli = cli, .lock.arena = cli->arena};
  out->from.arena = cli->arena;
  out->from.lock = &out->lock;
  int rc = spec_cli_backend(cli, &out->backend, err);
  if (rc == 0)
    rc = check_upgrade(out, err);
  if (rc == 0)
    rc = spec_lock_read(&out->lock, &out->has_lock, out->backend->dir, err);
  if (rc == 0)
    rc = spec_vendor_files(cli->arena, &out->files, &out->file_count, out->backend, err);
  return rc != 0 ? rc : open_trunk(out, err);
}

void spec_overriding_close(spec_overriding *overriding) {
  spec_repository_free(overriding->from.repository);
}

static bool is_named_by(const spec_vendor_file *file, const char *word) {
  return spec_path_below(file->trunk, word) != NULL || spec_path_below(file->overlay, word) != NULL;
}

bool spec_overriding_names(const spec_overriding *o, const spec_vendor_file *file) {
  bool named = o->cli->args.word_count == 0;
  for (size_t i = 0; !named && i < o->cli->args.word_count; i++)
    named = is_named_by(file, o->cli->args.words[i]);
  return named;
}

int spec_overriding_check_names(const spec_overriding *o, spec_err *err) {
  for (size_t i = 0; i < o->cli->args.word_count; i++) {
    bool known = false;
    for (size_t f = 0; !known && f < o->file_count; f++)
      known = is_named_by(&o->files[f], o->cli->args.words[i]);
    if (known)
      continue;
    spec_fail(err, SPEC_ENOTFOUND, "backend '%s' has no override '%s'", o->backend->name,
              o->cli->args.words[i]);
    return spec_fail_mend(err, "name it by its path in the trunk or in the backend's folder, or "
                               "name a folder of either");
  }
  return SPEC_OK;
}

int spec_overriding_lock(spec_overriding *o, const spec_lock_line *line, spec_err *err) {
  const spec_lock_line *old = spec_lock_find(&o->lock, line->trunk);
  if (old != NULL && strcmp(old->blob, line->blob) == 0 && strcmp(old->commit, line->commit) == 0)
    return SPEC_OK;
  int rc = spec_lock_set(&o->lock, line, err);
  return rc != 0 ? rc : spec_lock_write(&o->lock, NULL, o->backend->dir, err);
}
