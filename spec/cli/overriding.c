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
  o->from.is_named = cli->args.rev != NULL;
  int rc = spec_cli_repository_or_none(cli, &o->from.repository, err);
  if (rc == 0 && spec_repository_resolve(o->from.repository, &o->head, "HEAD", &ignored) == SPEC_OK)
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

int spec_overriding_lock(spec_overriding *o, const spec_lock_line *line, spec_err *err) {
  const spec_lock_line *old = spec_lock_find(&o->lock, line->trunk);
  if (old != NULL && strcmp(old->blob, line->blob) == 0 && strcmp(old->commit, line->commit) == 0)
    return SPEC_OK;
  int rc = spec_lock_set(&o->lock, line, err);
  return rc != 0 ? rc : spec_lock_write(&o->lock, NULL, o->backend->dir, err);
}
