/* cmd_extract.c: an overlay made of a fork. */
#include "cli/git_commands.h"
#include "cli/trunk_side.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "git/extract.h"
#include <string.h>

static const spec_cli_option options[] = {
    {"--fork", "TREE", "the fork: a folder, or a revision of the repository", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, fork)},
    {"--base", "TREE", "the trunk that it was forked from: a folder, or a revision", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, base)},
    {"--out", "DIR", "folder for the results", SPEC_CLI_TEXT, offsetof(spec_cli_args, out)},
    SPEC_CLI_REPOSITORY_OPTION,
    {"--allow-rest", NULL, "files that no overlay can hold are no finding", SPEC_CLI_SWITCH,
     offsetof(spec_cli_args, allow_rest)},
    SPEC_CLI_JSON_OPTION,
};

typedef struct extracting {
  spec_cli *cli;
  const char *cwd, *out; /* absolute */
  spec_repository *repository;
  spec_snapshot base, fork;
  spec_revision head;
  bool has_head; /* of the base's folder */
  spec_extract extract;
  spec_extract_proof proof;
} extracting;

static int check_words(const extracting *x, spec_err *err) {
  const spec_cli_args *args = &x->cli->args;
  if (args->fork == NULL || args->base == NULL || args->out == NULL)
    return spec_fail(err, SPEC_EINVAL, "'extract' needs --fork, --base and --out");
  const char *name = spec_path_basename(x->out);
  if (*name == '\0' || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0') {
    spec_fail(err, SPEC_EINVAL, "'%s' is no backend's name", name);
    return spec_fail_mend(err, "a backend's folder is named with letters a-z, digits and '_'");
  }
  spec_ftype type;
  int rc = spec_fs_link_type(&type, x->out, err);
  if (rc == 0 && type != SPEC_FT_NONE) {
    spec_fail(err, SPEC_EINVAL, "'%s' exists", x->out);
    return spec_fail_mend(err, "name a new folder, or move that one away");
  }
  return rc;
}

/* That of --repository, or where the base's folder lies, or else this folder; two folders do
 * without. */
static int open_repository(extracting *x, spec_err *err) {
  spec_err ignored = {0};
  const char *folder = x->cli->args.repository;
  bool must = folder != NULL;
  spec_ftype type;
  if (folder == NULL) {
    folder = spec_path_resolve(x->cli->arena, x->cwd, x->cli->args.base);
    int rc = folder == NULL ? spec_fail_memory(err) : spec_fs_type(&type, folder, err);
    if (rc != 0)
      return rc;
    folder = type == SPEC_FT_DIR ? folder : x->cwd;
  }
  int rc = spec_repository_open(&x->repository, x->cli->arena, folder, must ? err : &ignored);
  return must || rc == SPEC_ENOMEM ? rc : SPEC_OK;
}

static int take_both(extracting *x, spec_err *err) {
  spec_arena *arena = x->cli->arena;
  int rc = open_repository(x, err);
  if (rc == 0)
    rc = spec_snapshot_take(&x->base, arena, x->cli->args.base, x->cwd, x->repository, err);
  if (rc == 0)
    rc = spec_snapshot_take(&x->fork, arena, x->cli->args.fork, x->cwd, x->repository, err);
  if (rc == 0 && x->base.folder != NULL && x->repository != NULL)
    x->has_head = spec_repository_resolve(x->repository, &x->head, "HEAD", NULL) == SPEC_OK;
  return rc;
}

/* Writes the overlay beside its place and proves it there; it appears whole, or not at all. */
static int write_overlay(extracting *x, spec_err *err) {
  spec_arena *arena = x->cli->arena;
  const char *folder, *dir = spec_path_dirname(arena, x->out);
  bool taken = false;
  int rc = dir == NULL ? spec_fail_memory(err) : spec_fs_mkdirs(dir, err);
  if (rc == 0)
    rc = spec_fs_temporary_folder(arena, &folder, x->out, err);
  if (rc != 0)
    return rc;
  rc = spec_extract_write(&x->extract, folder, x->has_head ? &x->head : NULL, x->repository, err);
  if (rc == 0)
    rc = spec_extract_prove(&x->proof, &x->extract, folder, err);
  if (rc == 0)
    rc = spec_fs_rename_folder(folder, x->out, &taken, err);
  if (rc == 0 && taken)
    rc = spec_fail(err, SPEC_EINVAL, "'%s' exists", x->out);
  if (rc != 0)
    (void)spec_fs_remove_tree(folder, NULL);
  return rc;
}

/* Sums over the items of one form. */
typedef struct sums {
  size_t lines, carried;
} sums;

static sums sum(const spec_extract *e, spec_extract_form form) {
  sums s = {0};
  for (size_t i = 0; i < e->count; i++)
    if (e->items[i].form == form) {
      s.lines += e->items[i].lines;
      s.carried += e->items[i].carried;
    }
  return s;
}

static const char *name_of(const spec_snapshot *s) {
  return s->folder != NULL || s->revision.commit[0] == '\0' ? s->name : s->revision.commit;
}

static void put_forms(spec_buf *out, const extracting *x) {
  static const struct {
    spec_extract_form form;
    const char *title;
  } rows[] = {{SPEC_EXTRACT_PATCH, "patches"},
              {SPEC_EXTRACT_COPY, "copies"},
              {SPEC_EXTRACT_ADDITION, "additions"},
              {SPEC_EXTRACT_REMOVAL, "removals"},
              {SPEC_EXTRACT_OWN, "own files"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t count = x->extract.forms[rows[i].form];
    sums s = sum(&x->extract, rows[i].form);
    spec_buf_printf(out, "  %-9s %5zu", rows[i].title, count);
    if (count > 0 && rows[i].form != SPEC_EXTRACT_REMOVAL)
      spec_buf_printf(out, "  %6zu lines", s.carried);
    if (count > 0 && rows[i].form == SPEC_EXTRACT_PATCH)
      spec_buf_printf(out, ", of files of %zu", s.lines);
    if (count > 0 && rows[i].form == SPEC_EXTRACT_OWN)
      spec_buf_printf(out, ", the fork's %s", x->extract.own);
    spec_buf_char(out, '\n');
  }
}

static void put_unowned(spec_buf *out, const spec_extract *e) {
  bool any = false;
  for (size_t i = 0; i < e->count; i++) {
    if (!e->items[i].unowned)
      continue;
    if (!any)
      spec_buf_str(out, "\nno CMakeLists.txt of the overlay names these sources; say in spec.cmake "
                        "whose they are:\n");
    any = true;
    spec_buf_printf(out, "  spec_target_sources(<target> %s)\n", e->items[i].trunk);
  }
}

/* Reasons are few, and compared by their text; each heads the files that it is the reason of. */
static void put_rest(spec_buf *out, const spec_extract *e) {
  for (size_t i = 0; i < e->count; i++) {
    const char *reason = e->items[i].reason;
    bool is_first = reason != NULL;
    for (size_t k = 0; is_first && k < i; k++)
      is_first = e->items[k].reason == NULL || strcmp(e->items[k].reason, reason) != 0;
    if (!is_first)
      continue;
    spec_buf_printf(out, "\n%s:\n", reason);
    for (size_t k = i; k < e->count; k++)
      if (e->items[k].reason != NULL && strcmp(e->items[k].reason, reason) == 0)
        spec_buf_printf(out, "  +%-5zu -%-5zu %s\n", e->items[k].added, e->items[k].removed,
                        e->items[k].trunk);
  }
}

static void print_text(const extracting *x) {
  spec_buf text = {0};
  spec_buf_printf(&text, "%s: the fork %s over %s\n", x->out, name_of(&x->fork), name_of(&x->base));
  put_forms(&text, x);
  spec_buf_printf(&text,
                  "proved: base and overlay together give the fork's bytes, %zu files of %zu",
                  x->proof.equal, x->proof.equal + x->proof.listed);
  if (x->proof.listed > 0)
    spec_buf_printf(&text, "; %zu that no overlay can hold:", x->proof.listed);
  spec_buf_char(&text, '\n');
  put_rest(&text, &x->extract);
  put_unowned(&text, &x->extract);
  spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
}

static int add_item(json_t *list, const spec_extract_item *item) {
  json_t *object = json_object();
  int rc = spec_json_put(object, "trunk", spec_json_text(item->trunk, NULL));
  rc |= spec_json_put(object, "form", spec_json_text(spec_extract_form_name(item->form), NULL));
  if (item->overlay != NULL)
    rc |= spec_json_put(object, "overlay", spec_json_text(item->overlay, NULL));
  if (item->reason != NULL)
    rc |= spec_json_put(object, "reason", spec_json_text(item->reason, NULL));
  rc |= spec_json_put(object, "added", json_integer((json_int_t)item->added));
  rc |= spec_json_put(object, "removed", json_integer((json_int_t)item->removed));
  rc |= spec_json_put(object, "lines", json_integer((json_int_t)item->lines));
  rc |= spec_json_put(object, "carried", json_integer((json_int_t)item->carried));
  rc |= spec_json_put(object, "unowned", json_boolean(item->unowned));
  return rc | spec_json_push(list, object);
}

static int print_json(const extracting *x, spec_err *err) {
  json_t *root = json_object(), *list = json_array();
  int rc = 0;
  for (size_t i = 0; i < x->extract.count; i++)
    rc |= add_item(list, &x->extract.items[i]);
  rc |= spec_json_put(root, "out", spec_json_text(x->out, NULL));
  rc |= spec_json_put(root, "fork", spec_json_text(name_of(&x->fork), NULL));
  rc |= spec_json_put(root, "base", spec_json_text(name_of(&x->base), NULL));
  rc |= spec_json_put(root, "unchanged", json_integer((json_int_t)x->extract.unchanged));
  rc |= spec_json_put(root, "proved", json_integer((json_int_t)x->proof.equal));
  rc |= spec_json_put(root, "files", list);
  rc |= spec_cli_add_findings(x->cli, root);
  rc = rc != 0 ? spec_fail_memory(err) : spec_cli_print_json(x->cli, root, err);
  json_decref(root);
  return rc;
}

static int extract(extracting *x, spec_err *err) {
  int rc = check_words(x, err);
  if (rc == 0)
    rc = take_both(x, err);
  if (rc == 0)
    rc = spec_extract_plan(&x->extract, x->cli->arena, &x->base, &x->fork,
                           spec_path_basename(x->out), err);
  if (rc == 0 && x->extract.count == 0)
    rc = spec_fail(err, SPEC_EINVAL, "the fork differs from its base in nothing");
  if (rc == 0)
    rc = write_overlay(x, err);
  if (rc != 0)
    return rc;
  if (x->cli->args.json)
    rc = print_json(x, err);
  else
    print_text(x);
  if (rc != 0 || x->proof.listed == 0 || x->cli->args.allow_rest)
    return rc;
  spec_fail(err, SPEC_EREFUSED, "the overlay does without %zu file%s of the fork", x->proof.listed,
            x->proof.listed == 1 ? "" : "s");
  spec_fail_mend(err, "it is written all the same; --allow-rest makes this no finding");
  return SPEC_EREFUSED;
}

static int run(spec_cli *cli, spec_err *err) {
  extracting x = {.cli = cli};
  int rc = spec_fs_cwd(cli->arena, &x.cwd, err);
  if (rc == 0 && cli->args.out != NULL &&
      (x.out = spec_path_resolve(cli->arena, x.cwd, cli->args.out)) == NULL)
    rc = spec_fail_memory(err);
  if (rc == 0)
    rc = extract(&x, err);
  spec_repository_free(x.repository);
  return rc;
}

const spec_command spec_cmd_extract = {"extract",
                                       "[options] --fork TREE --base TREE --out DIR",
                                       SPEC_SUMMARY_EXTRACT,
                                       options,
                                       sizeof options / sizeof *options,
                                       0,
                                       0,
                                       run};
