/* repository.c: opening a repository, and naming its revisions. */
#include "git/repository_parts.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include <string.h>

int spec_repository_begin(spec_err *err) {
  static const char *extensions[] = {"partialclone", "worktreeconfig", "preciousobjects"};
  int code = git_libgit2_init();
  /* A trunk that another user owns, as in containers, is no danger here: git checks owners because
   * a repository's settings may name programs, and none of those is ever run. */
  if (code >= 0)
    code = git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
  /* These change nothing for who only reads, and libgit2 would refuse them. */
  if (code >= 0)
    code = git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions,
                            sizeof extensions / sizeof *extensions);
  /* Nor do settings of the machine or the user, which would make answers differ between them. */
  const int levels[] = {GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL,
                        GIT_CONFIG_LEVEL_PROGRAMDATA};
  for (size_t i = 0; code >= 0 && i < sizeof levels / sizeof *levels; i++)
    code = git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "");
  return code >= 0 ? SPEC_OK : spec_repository_fail(NULL, SPEC_EIO, "cannot start libgit2", err);
}

void spec_repository_end(void) {
  (void)git_libgit2_shutdown();
}

int spec_repository_fail(const spec_repository *repository, int code, const char *what,
                         spec_err *err) {
  const git_error *last = git_error_last();
  const char *reason = last == NULL || last->message == NULL ? "no reason given" : last->message;
  if (last != NULL && last->klass == GIT_ERROR_NOMEMORY)
    return spec_fail_memory(err);
  spec_fail(err, code, "%s: %s", what, reason);
  if (repository != NULL)
    spec_fail_where(err, "%s", repository->path);
  return code;
}

static int fail_open(const char *folder, int code, spec_err *err) {
  const git_error *last = git_error_last();
  const char *reason = last == NULL || last->message == NULL ? "" : last->message;
  if (code == GIT_ENOTFOUND) {
    spec_fail(err, SPEC_ENOTFOUND, "'%s' lies in no git repository", folder);
    return spec_fail_mend(err, "name one that has the trunk's history: --repository DIR");
  }
  if (strstr(reason, "objectformat") != NULL || strstr(reason, "object format") != NULL) {
    spec_fail(err, SPEC_EINVAL, "this git repository has SHA-256 ids, which cannot be read");
    spec_fail_where(err, "%s", folder);
    return spec_fail_mend(err, "name a SHA-1 clone of the trunk: --repository DIR");
  }
  spec_repository_fail(NULL, SPEC_EINVAL, "this git repository cannot be read", err);
  return spec_fail_where(err, "%s", folder);
}

/* Sets root, path and prefix; the folder is inside of the repository. */
static int place(spec_repository *r, const char *folder, spec_err *err) {
  const char *root = git_repository_workdir(r->git), *real, *real_root, *store;
  r->path = spec_path_normal(r->arena, git_repository_path(r->git));
  r->prefix = "";
  if (r->path == NULL)
    return spec_fail_memory(err);
  if (root == NULL)
    return SPEC_OK;
  int rc = spec_fs_real(r->arena, &real, folder, err);
  if (rc == 0)
    rc = spec_fs_real(r->arena, &real_root, root, err);
  if (rc == 0)
    rc = spec_fs_real(r->arena, &store, r->path, err);
  if (rc != 0)
    return rc;
  r->root = real_root;
  const char *below = spec_path_below(real, real_root);
  /* The object store itself, .git or a bare one whose settings do not say so, stands for the whole
   * trunk. */
  if (below != NULL && spec_path_below(real, store) == NULL)
    r->prefix = below;
  return SPEC_OK;
}

int spec_repository_without(spec_repository **out, spec_arena *arena, spec_err *err) {
  spec_repository *r = spec_arena_alloc(arena, sizeof *r);
  if (r == NULL)
    return spec_fail_memory(err);
  *r = (spec_repository){.arena = arena, .path = "", .prefix = ""};
  int rc = spec_map_new(&r->trees, arena, err);
  if (rc == 0)
    rc = spec_map_new(&r->lent, arena, err);
  if (rc == 0)
    *out = r;
  else
    spec_repository_free(r);
  return rc;
}

int spec_repository_open(spec_repository **out, spec_arena *arena, const char *folder,
                         spec_err *err) {
  spec_repository *r;
  int rc = spec_repository_without(&r, arena, err);
  if (rc != 0)
    return rc;
  int code = git_repository_open_ext(&r->git, folder, 0, NULL);
  rc = code < 0 ? fail_open(folder, code, err) : place(r, folder, err);
  if (rc == 0)
    *out = r;
  else
    spec_repository_free(r);
  return rc;
}

bool spec_repository_is_git(const spec_repository *r) {
  return r->git != NULL;
}

static int free_tree(void *user, const char *key, void *value) {
  (void)user;
  (void)key;
  git_tree_free(value);
  return 0;
}

void spec_repository_free(spec_repository *r) {
  if (r == NULL)
    return;
  if (r->trees != NULL)
    (void)spec_map_each(r->trees, free_tree, NULL);
  spec_map_free(r->trees);
  spec_map_free(r->lent);
  git_repository_free(r->git);
}

const char *spec_repository_path(const spec_repository *r) {
  return r->path;
}
const char *spec_repository_prefix(const spec_repository *r) {
  return r->prefix;
}
const char *spec_repository_root(const spec_repository *r) {
  return r->root;
}
git_repository *spec_repository_raw(const spec_repository *r) {
  return r->git;
}

static int fail_without(const char *rev, spec_err *err) {
  spec_fail(err, SPEC_ENOTFOUND, "revision '%s' is asked for, and the trunk has no git repository",
            rev);
  return spec_fail_mend(err, "name one that has the trunk's history: --repository DIR");
}

static int fail_revision(const spec_repository *r, const char *rev, int code, spec_err *err) {
  if (r->git == NULL)
    return fail_without(rev, err);
  if (code == GIT_EAMBIGUOUS)
    spec_fail(err, SPEC_EAMBIGUOUS, "'%s' is a short id of several objects", rev);
  else if (code == GIT_EINVALIDSPEC)
    spec_fail(err, SPEC_EINVAL, "'%s' does not name a revision", rev);
  else if (code == GIT_ENOTFOUND || code == GIT_EPEEL)
    spec_fail(err, SPEC_ENOTFOUND, "the repository has no revision '%s'", rev);
  else
    return spec_repository_fail(r, SPEC_EIO, "cannot read the revision", err);
  spec_fail_where(err, "%s", r->path);
  bool shallow = git_repository_is_shallow(r->git) == 1;
  return spec_fail_mend(err, "%s",
                        shallow ? "this is a shallow clone: git fetch --unshallow gets the rest"
                                : "git fetch gets what is new; a branch of a remote is "
                                  "'<remote>/<branch>'");
}

/* The tree of the trunk's folder in the root tree of a revision. */
static int set_tree(spec_repository *r, spec_revision *out, const git_oid *root, spec_err *err) {
  spec_revision whole = {.tree = ""};
  git_oid_tostr(whole.tree, sizeof whole.tree, root);
  memcpy(out->tree, whole.tree, sizeof out->tree);
  if (*r->prefix == '\0')
    return SPEC_OK;
  spec_entry entry;
  int rc = spec_repository_entry(r, &entry, &whole, r->prefix, err);
  if (rc == 0 && entry.type == SPEC_ENTRY_FOLDER)
    memcpy(out->tree, entry.id, sizeof out->tree);
  else
    out->tree[0] = '\0';
  return rc;
}

static int set_revision(spec_repository *r, spec_revision *out, const git_object *object,
                        const char *rev, spec_err *err) {
  spec_revision found = {.commit = ""};
  git_object *peeled = NULL;
  int code = git_object_peel(&peeled, object, GIT_OBJECT_COMMIT);
  const git_oid *tree = NULL;
  if (code == 0) {
    git_oid_tostr(found.commit, sizeof found.commit, git_object_id(peeled));
    tree = git_commit_tree_id((git_commit *)peeled);
  } else if ((code = git_object_peel(&peeled, object, GIT_OBJECT_TREE)) == 0) {
    tree = git_object_id(peeled);
  } else {
    return fail_revision(r, rev, code == GIT_EPEEL ? GIT_EINVALIDSPEC : code, err);
  }
  int rc = set_tree(r, &found, tree, err);
  git_object_free(peeled);
  if (rc == 0)
    *out = found;
  return rc;
}

int spec_repository_resolve(spec_repository *r, spec_revision *out, const char *rev,
                            spec_err *err) {
  git_object *object = NULL;
  int code = r->git == NULL ? GIT_ENOTFOUND : git_revparse_single(&object, r->git, rev);
  if (code < 0)
    return fail_revision(r, rev, code, err);
  int rc = set_revision(r, out, object, rev, err);
  git_object_free(object);
  return rc;
}

static int look_up(const spec_repository *r, git_commit **out, const char *commit, spec_err *err) {
  git_oid id;
  int code = r->git == NULL ? GIT_ENOTFOUND : git_oid_fromstr(&id, commit);
  if (code == 0)
    code = git_commit_lookup(out, r->git, &id);
  return code < 0 ? fail_revision(r, commit, code, err) : SPEC_OK;
}

int spec_repository_commit(spec_repository *r, spec_revision *out, const char *commit,
                           spec_err *err) {
  git_commit *object = NULL;
  int rc = look_up(r, &object, commit, err);
  if (rc != 0)
    return rc;
  rc = set_revision(r, out, (git_object *)object, commit, err);
  git_commit_free(object);
  return rc;
}

int spec_repository_describe(spec_repository *r, spec_arena *arena, spec_commit *out,
                             const char *commit, spec_err *err) {
  git_commit *object = NULL;
  int rc = look_up(r, &object, commit, err);
  if (rc != 0)
    return rc;
  const git_signature *author = git_commit_author(object);
  const char *subject = git_commit_summary(object);
  spec_commit found = {.author = spec_arena_strdup(arena, author->name),
                       .subject = spec_arena_strdup(arena, subject == NULL ? "" : subject),
                       .date = author->when.time,
                       .offset = author->when.offset};
  git_oid_tostr(found.id, sizeof found.id, git_commit_id(object));
  git_commit_free(object);
  if (found.author == NULL || found.subject == NULL)
    return spec_fail_memory(err);
  *out = found;
  return SPEC_OK;
}
