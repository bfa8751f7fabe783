/* cmd_patchify.c: copies of the trunk's files, made patches of them. */
#include "cli/git_commands.h"
#include "cli/overriding.h"

#include "base/err.h"
#include "git/patchify.h"
#include <string.h>

static const spec_cli_option options[] = {
    SPEC_CLI_TRUNK_OPTIONS,
    SPEC_CLI_REPOSITORY_OPTION,
    {"--rev", "REV", "what the copies were made of (default: what spec.lock says)", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, rev)},
    {"--all", NULL, "every copy of the backend", SPEC_CLI_SWITCH, offsetof(spec_cli_args, all)},
    {"--dry-run", NULL, "write nothing", SPEC_CLI_SWITCH, offsetof(spec_cli_args, dry_run)},
};

/* What became of the copies. */
typedef struct patchifying {
  spec_overriding all;
  spec_patchified *made; /* one for each file of the backend that is named */
  const spec_vendor_file **files;
  size_t count;
} patchifying;

typedef struct sums {
  size_t patches, lines_before, lines_after, bytes_before, bytes_after;
} sums;

static sums sum(const patchifying *p) {
  sums s = {0};
  for (size_t i = 0; i < p->count; i++) {
    const spec_patchified *made = &p->made[i];
    if (made->stays != NULL)
      continue;
    s.patches++;
    s.lines_before += made->lines_before;
    s.lines_after += made->lines_after;
    s.bytes_before += made->bytes_before;
    s.bytes_after += made->len;
  }
  return s;
}

static void print_text(const patchifying *p) {
  spec_buf text = {0};
  sums s = sum(p);
  for (size_t i = 0; i < p->count; i++) {
    const spec_patchified *made = &p->made[i];
    if (made->stays != NULL)
      spec_buf_printf(&text, "  stays   %s: it %s\n", p->files[i]->overlay, made->stays);
    else
      spec_buf_printf(&text, "  patch   %s.patch: %zu lines for %zu\n", p->files[i]->overlay,
                      made->lines_after, made->lines_before);
  }
  spec_buf_printf(&text, "%zu of %zu %s", s.patches, p->count,
                  p->all.cli->args.dry_run ? "would be patches" : "are patches now");
  if (s.patches > 0)
    spec_buf_printf(&text, ": %zu lines for %zu, %zu bytes for %zu", s.lines_after, s.lines_before,
                    s.bytes_after, s.bytes_before);
  spec_buf_char(&text, '\n');
  spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
}

static int add_file(json_t *list, const spec_vendor_file *file, const spec_patchified *made) {
  json_t *object = json_object();
  int rc = spec_json_put(object, "trunk", spec_json_text(file->trunk, NULL));
  rc |= spec_json_put(object, "overlay", spec_json_text(file->overlay, NULL));
  rc |= spec_json_put(object, "lines_before", json_integer((json_int_t)made->lines_before));
  rc |= spec_json_put(object, "bytes_before", json_integer((json_int_t)made->bytes_before));
  if (made->stays != NULL) {
    rc |= spec_json_put(object, "stays", spec_json_text(made->stays, NULL));
  } else {
    rc |= spec_json_put(object, "lines_after", json_integer((json_int_t)made->lines_after));
    rc |= spec_json_put(object, "bytes_after", json_integer((json_int_t)made->len));
  }
  return rc | spec_json_push(list, object);
}

static int print_json(const patchifying *p, spec_err *err) {
  json_t *root = json_object(), *list = json_array();
  int rc = 0;
  for (size_t i = 0; i < p->count; i++)
    rc |= add_file(list, p->files[i], &p->made[i]);
  rc |= spec_json_put(root, "written", json_boolean(!p->all.cli->args.dry_run));
  rc |= spec_json_put(root, "files", list);
  rc |= spec_cli_add_findings(p->all.cli, root);
  rc = rc != 0 ? spec_fail_memory(err) : spec_cli_print_json(p->all.cli, root, err);
  json_decref(root);
  return rc;
}

/* All patches are made before the first is written. */
static int make_all(patchifying *p, spec_err *err) {
  spec_overriding *all = &p->all;
  p->made = spec_arena_array(all->cli->arena, all->file_count, sizeof *p->made);
  p->files = spec_arena_array(all->cli->arena, all->file_count, sizeof *p->files);
  int rc = p->made == NULL || p->files == NULL ? spec_fail_memory(err) : SPEC_OK;
  for (size_t i = 0; rc == 0 && i < all->file_count; i++) {
    const spec_vendor_file *file = &all->files[i];
    if (file->action != SPEC_REPLACE || !spec_cli_names(all->cli, file))
      continue;
    rc = spec_patchify(&p->made[p->count], &all->from, all->backend, file, err);
    p->files[p->count] = file;
    p->count += rc == 0;
  }
  return rc;
}

static int write_all(patchifying *p, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < p->count; i++) {
    if (p->made[i].stays != NULL)
      continue;
    rc = spec_patchify_replace(&p->made[i], p->all.cli->arena, p->files[i], err);
    if (rc == 0 && !p->made[i].base.is_locked)
      rc = spec_overriding_lock(&p->all, &p->made[i].base.line, err);
  }
  return rc;
}

static int patchify(patchifying *p, spec_err *err) {
  const spec_cli_args *args = &p->all.cli->args;
  if ((args->word_count == 0) != args->all) {
    spec_fail(err, SPEC_EINVAL, "'patchify' needs names of overrides, or --all");
    return spec_fail_mend(err, "--dry-run --all shows what would become of each");
  }
  int rc = spec_cli_check_names(p->all.cli, p->all.backend, p->all.files, p->all.file_count, err);
  if (rc == 0)
    rc = make_all(p, err);
  if (rc == 0 && !args->dry_run)
    rc = write_all(p, err);
  if (rc != 0)
    return rc;
  if (args->json)
    return print_json(p, err);
  print_text(p);
  return SPEC_OK;
}

static int run(spec_cli *cli, spec_err *err) {
  patchifying p = {0};
  int rc = spec_overriding_open(&p.all, cli, err);
  if (rc == 0)
    rc = patchify(&p, err);
  spec_overriding_close(&p.all);
  return rc;
}

const spec_command spec_cmd_patchify = {"patchify",
                                        "[options] [override...]",
                                        SPEC_SUMMARY_PATCHIFY,
                                        options,
                                        sizeof options / sizeof *options,
                                        0,
                                        (size_t)-1,
                                        run};
