/* cmd_edit.c: an override made of what one changes in a scratch copy. */
#include "cli/git_commands.h"
#include "cli/overriding.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "base/process.h"
#include "git/edit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const spec_cli_option options[] = {
    SPEC_CLI_TRUNK_OPTIONS,
    SPEC_CLI_REPOSITORY_OPTION,
    {"--from", "FILE", "take the text of this file instead of starting an editor", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, from)},
};

typedef struct editing {
  spec_overriding all;
  spec_edit edit;
  spec_edited made;
  const char *folder, *scratch; /* NULL: there is none */
} editing;

static const char *editor(void) {
  static const char *const names[] = {"VISUAL", "EDITOR"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value != NULL && *value != '\0')
      return value;
  }
  return NULL;
}

static int make_scratch(editing *e, spec_err *err) {
  spec_arena *arena = e->all.cli->arena;
  const char *temporary = getenv("TMPDIR");
  const char *beside = spec_path_join(
      arena, temporary != NULL && *temporary != '\0' ? temporary : "/tmp", "triton-spec-edit");
  int rc = beside == NULL ? spec_fail_memory(err)
                          : spec_fs_temporary_folder(arena, &e->folder, beside, err);
  if (rc != 0)
    return rc;
  e->scratch = spec_path_join(arena, e->folder, spec_path_basename(e->edit.trunk));
  return e->scratch == NULL ? spec_fail_memory(err)
                            : spec_fs_write(e->scratch, e->edit.present.text, e->edit.present.len,
                                            e->edit.present.executable, NULL, err);
}

/* The editor may be a command line with options, which the shell splits, as git has it. */
static int run_editor(editing *e, spec_err *err) {
  const char *command = editor();
  int status = 0;
  if (command == NULL) {
    spec_fail(err, SPEC_EINVAL, "neither VISUAL nor EDITOR names an editor");
    return spec_fail_mend(err, "set one, or give the text with --from FILE");
  }
  int rc = make_scratch(e, err);
  const char *line = spec_arena_printf(e->all.cli->arena, "%s \"$@\"", command);
  if (rc == 0 && line == NULL)
    rc = spec_fail_memory(err);
  if (rc != 0)
    return rc;
  const char *const words[] = {"sh", "-c", line, command, e->scratch, NULL};
  rc = spec_process_run(&status, false, words, err);
  if (rc == 0 && status != 0) {
    rc = spec_fail(err, SPEC_EIO, "the editor '%s' ended with status %d", command, status);
    (void)spec_fail_mend(err, "nothing was written");
  }
  return rc;
}

static int get_text(editing *e, const char **text, size_t *len, spec_err *err) {
  const char *from = e->all.cli->args.from, *path;
  int rc = from != NULL ? SPEC_OK : run_editor(e, err);
  if (rc != 0)
    return rc;
  const char *cwd;
  rc = spec_fs_cwd(e->all.cli->arena, &cwd, err);
  path = rc != 0        ? NULL
         : from != NULL ? spec_path_resolve(e->all.cli->arena, cwd, from)
                        : e->scratch;
  if (rc == 0 && path == NULL)
    rc = spec_fail_memory(err);
  return rc != 0 ? rc : spec_fs_read(e->all.cli->arena, text, len, path, err);
}

/* A patch was made against the base, and so was what is new; a copy that nobody has locked may be
 * of any.  An overlay that does without a lock gets none for one override of several. */
static bool has_new_line(const editing *e) {
  const spec_overriding *all = &e->all;
  bool knows = e->made.form == SPEC_EDITED_PATCH ||
               (e->made.form == SPEC_EDITED_COPY && e->edit.file == NULL);
  size_t others = all->file_count - (e->edit.file != NULL);
  return knows && !e->edit.base.is_locked && (all->has_lock || others == 0);
}

static int write_lock(editing *e, spec_err *err) {
  spec_overriding *all = &e->all;
  if (e->made.form == SPEC_EDITED_DROP && spec_lock_find(&all->lock, e->edit.trunk) != NULL) {
    spec_lock_drop(&all->lock, e->edit.trunk);
    return spec_lock_write(&all->lock, NULL, all->backend->dir, err);
  }
  return has_new_line(e) ? spec_overriding_lock(all, &e->edit.base.line, err) : SPEC_OK;
}

static void print_text(const editing *e) {
  spec_buf text = {0};
  const spec_edited *made = &e->made;
  if (made->form == SPEC_EDITED_NOTHING)
    spec_buf_printf(&text, "%s: nothing changed\n", e->edit.trunk);
  else if (made->form == SPEC_EDITED_DROP)
    spec_buf_printf(&text, "%s: removed, since it is the trunk's file again\n", made->path);
  else if (made->form == SPEC_EDITED_COPY)
    spec_buf_printf(&text, "%s: a copy of %zu bytes\n", made->path, made->len);
  else
    spec_buf_printf(&text, "%s: %zu hunk%s, +%zu -%zu lines\n", made->path, made->hunks,
                    made->hunks == 1 ? "" : "s", made->added, made->removed);
  spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
}

static int print_json(const editing *e, spec_err *err) {
  static const char *const forms[] = {"nothing", "drop", "copy", "patch"};
  json_t *root = json_object();
  int rc = spec_json_put(root, "trunk", spec_json_text(e->edit.trunk, NULL));
  rc |= spec_json_put(root, "form", spec_json_text(forms[e->made.form], NULL));
  rc |= spec_json_put(root, "path", spec_json_text(e->made.path, NULL));
  rc |= spec_json_put(root, "hunks", json_integer((json_int_t)e->made.hunks));
  rc |= spec_json_put(root, "removed", json_integer((json_int_t)e->made.removed));
  rc |= spec_json_put(root, "added", json_integer((json_int_t)e->made.added));
  rc |= spec_cli_add_findings(e->all.cli, root);
  rc = rc != 0 ? spec_fail_memory(err) : spec_cli_print_json(e->all.cli, root, err);
  json_decref(root);
  return rc;
}

/* What was edited must not be lost: the error says where it is. */
static void keep_scratch(const editing *e, spec_err *err) {
  char mend[sizeof err->mend];
  memcpy(mend, err->mend, sizeof mend);
  (void)spec_fail_mend(err, "%s%sthe scratch copy is kept: %s", mend, *mend != '\0' ? "; " : "",
                       e->scratch);
}

static int edit(editing *e, spec_err *err) {
  const spec_overriding *all = &e->all;
  const char *text = NULL;
  size_t len = 0;
  int rc = spec_edit_open(&e->edit, &all->from, all->backend, all->files, all->file_count,
                          all->cli->args.words[0], err);
  if (rc == 0)
    rc = get_text(e, &text, &len, err);
  if (rc == 0)
    rc = spec_edit_make(&e->made, &e->edit, text, len, err);
  if (rc == 0)
    rc = spec_edit_write(&e->made, &e->edit, err);
  if (rc == 0)
    rc = write_lock(e, err);
  if (rc != 0 && e->scratch != NULL)
    keep_scratch(e, err);
  if (rc != 0)
    return rc;
  if (e->folder != NULL)
    rc = spec_fs_remove_tree(e->folder, err);
  if (rc == 0 && all->cli->args.json)
    rc = print_json(e, err);
  else if (rc == 0)
    print_text(e);
  return rc;
}

static int run(spec_cli *cli, spec_err *err) {
  editing e = {0};
  int rc = spec_overriding_open(&e.all, cli, err);
  if (rc == 0)
    rc = edit(&e, err);
  spec_overriding_close(&e.all);
  return rc;
}

const spec_command spec_cmd_edit = {"edit",
                                    "[options] <trunk path>",
                                    SPEC_SUMMARY_EDIT,
                                    options,
                                    sizeof options / sizeof *options,
                                    1,
                                    1,
                                    run};
