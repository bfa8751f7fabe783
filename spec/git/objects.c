/* objects.c: the trees and blobs of a repository. */
#include "git/repository_parts.h"

#include "base/err.h"
#include "base/path.h"
#include <string.h>

int spec_repository_fail_missing(const spec_repository *r, const char *id, spec_err *err) {
  if (r->git == NULL) {
    spec_fail(err, SPEC_ENOTFOUND, "no file at hand has the id %s", id);
    return spec_fail_mend(err, "name a repository that has it: --repository DIR");
  }
  spec_fail(err, SPEC_ENOTFOUND, "object %s is not in the repository", id);
  spec_fail_where(err, "%s", r->path);
  if (git_repository_is_shallow(r->git) == 1)
    return spec_fail_mend(err, "this is a shallow clone: git fetch --unshallow gets the rest");
  return spec_fail_mend(err, "fetch it: it is of another repository, or this is a partial clone, "
                             "which has only what was asked for so far");
}

int spec_repository_tree(spec_repository *r, const git_tree **out, const git_oid *id,
                         spec_err *err) {
  char key[SPEC_OBJECT_ID_SIZE];
  git_oid_tostr(key, sizeof key, id);
  git_tree *tree = spec_map_get(r->trees, key, NULL);
  if (tree == NULL) {
    int code = git_tree_lookup(&tree, r->git, id);
    if (code == GIT_ENOTFOUND)
      return spec_repository_fail_missing(r, key, err);
    if (code < 0)
      return spec_repository_fail(r, SPEC_EIO, "cannot read a tree", err);
    int rc = spec_map_set(r->trees, key, tree, err);
    if (rc != 0) {
      git_tree_free(tree);
      return rc;
    }
  }
  *out = tree;
  return SPEC_OK;
}

static spec_entry_type type_of(const git_tree_entry *entry) {
  switch (git_tree_entry_filemode(entry)) {
  case GIT_FILEMODE_TREE:
    return SPEC_ENTRY_FOLDER;
  case GIT_FILEMODE_LINK:
    return SPEC_ENTRY_LINK;
  case GIT_FILEMODE_COMMIT:
    return SPEC_ENTRY_SUBMODULE;
  default:
    return SPEC_ENTRY_FILE;
  }
}

static void fill(spec_entry *out, const git_tree_entry *entry) {
  out->type = type_of(entry);
  out->executable = git_tree_entry_filemode(entry) == GIT_FILEMODE_BLOB_EXECUTABLE;
  git_oid_tostr(out->id, sizeof out->id, git_tree_entry_id(entry));
}

/* The entry of one name in a tree, or NULL. */
static int find(spec_repository *r, const git_tree_entry **out, const char *tree_id,
                const char *name, spec_err *err) {
  git_oid id;
  const git_tree *tree = NULL;
  if (git_oid_fromstr(&id, tree_id) < 0)
    return spec_repository_fail(r, SPEC_EINVAL, "this is no id of a tree", err);
  int rc = spec_repository_tree(r, &tree, &id, err);
  if (rc == 0)
    *out = git_tree_entry_byname(tree, name);
  return rc;
}

int spec_repository_entry(spec_repository *r, spec_entry *out, const spec_revision *revision,
                          const char *path, spec_err *err) {
  spec_entry here = {.type = SPEC_ENTRY_FOLDER};
  if (revision->folder != NULL)
    return spec_folder_entry(r, out, revision, path, err);
  memcpy(here.id, revision->tree, sizeof here.id);
  if (revision->tree[0] == '\0')
    here.type = SPEC_ENTRY_NONE;
  while (*path != '\0' && here.type == SPEC_ENTRY_FOLDER) {
    size_t len = strcspn(path, "/");
    const git_tree_entry *entry = NULL;
    char *name = spec_arena_strndup(r->arena, path, len);
    if (name == NULL)
      return spec_fail_memory(err);
    int rc = find(r, &entry, here.id, name, err);
    if (rc != 0)
      return rc;
    here = (spec_entry){.type = SPEC_ENTRY_NONE};
    if (entry != NULL)
      fill(&here, entry);
    path += len;
    path += strspn(path, "/");
  }
  /* Below a file there is nothing; below a submodule there is what we cannot see. */
  if (*path != '\0' && here.type != SPEC_ENTRY_SUBMODULE)
    here = (spec_entry){.type = SPEC_ENTRY_NONE};
  *out = here;
  return SPEC_OK;
}

int spec_repository_read(spec_repository *r, spec_arena *arena, const char **data, size_t *len,
                         const char *id_text, spec_err *err) {
  git_oid id;
  git_blob *blob = NULL;
  size_t digits = strlen(id_text);
  const char *lent = NULL;
  int rc = spec_lent_read(r, arena, &lent, len, id_text, err);
  if (rc == 0 && lent != NULL)
    *data = lent;
  else if (rc == 0 && r->git == NULL)
    rc = spec_repository_fail_missing(r, id_text, err);
  if (rc != 0 || lent != NULL)
    return rc;
  int code = git_oid_fromstrn(&id, id_text, digits);
  if (code == 0)
    code = git_blob_lookup_prefix(&blob, r->git, &id, digits);
  if (code == GIT_ENOTFOUND)
    return spec_repository_fail_missing(r, id_text, err);
  if (code < 0)
    return spec_repository_fail(r, SPEC_EINVAL, "cannot read a blob", err);
  size_t size = (size_t)git_blob_rawsize(blob);
  const char *copy = spec_arena_strndup(arena, git_blob_rawcontent(blob), size);
  git_blob_free(blob);
  if (copy == NULL)
    return spec_fail_memory(err);
  *data = copy;
  *len = size;
  return SPEC_OK;
}

bool spec_repository_has(const spec_repository *r, const char *id_text) {
  git_oid id;
  git_odb *odb = NULL;
  bool has = r->git != NULL && git_oid_fromstr(&id, id_text) == 0 &&
             git_repository_odb(&odb, r->git) == 0 && git_odb_exists(odb, &id) == 1;
  git_odb_free(odb);
  return has;
}

/* The tree of a folder; NULL when there is none. */
static int folder_tree(spec_repository *r, const git_tree **out, const spec_revision *revision,
                       const char *folder, spec_err *err) {
  spec_entry entry;
  git_oid id;
  *out = NULL;
  int rc = spec_repository_entry(r, &entry, revision, folder, err);
  if (rc != 0 || entry.type != SPEC_ENTRY_FOLDER)
    return rc;
  (void)git_oid_fromstr(&id, entry.id); /* it is one of git's own */
  return spec_repository_tree(r, out, &id, err);
}

int spec_repository_list(spec_repository *r, spec_arena *arena, spec_entry **out, size_t *count,
                         const spec_revision *revision, const char *folder, spec_err *err) {
  const git_tree *tree;
  int rc = folder_tree(r, &tree, revision, folder, err);
  if (rc != 0)
    return rc;
  size_t n = tree == NULL ? 0 : git_tree_entrycount(tree);
  spec_entry *entries = spec_arena_array(arena, n, sizeof *entries);
  if (entries == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < n; i++) {
    const git_tree_entry *entry = git_tree_entry_byindex(tree, i);
    entries[i].name = spec_arena_strdup(arena, git_tree_entry_name(entry));
    if (entries[i].name == NULL)
      return spec_fail_memory(err);
    fill(&entries[i], entry);
  }
  *out = entries;
  *count = n;
  return SPEC_OK;
}

/* Bytes of a path; no system has longer ones, and without an end a hostile tree would end the stack
 * instead. */
enum { PATH_MOST = 4096 };

static int fail_deep(const spec_repository *r, const char *folder, spec_err *err) {
  spec_fail(err, SPEC_EINVAL, "a revision has folders in folders beyond any path: '%.80s...'",
            folder);
  return spec_fail_where(err, "%s", r->path);
}

int spec_repository_walk(spec_repository *r, const spec_revision *revision, const char *folder,
                         spec_entry_fn *fn, void *user, spec_err *err) {
  const git_tree *tree = NULL;
  if (revision->folder != NULL)
    return spec_folder_walk(r, revision, folder, fn, user, err);
  int rc = folder_tree(r, &tree, revision, folder, err);
  size_t n = rc != 0 || tree == NULL ? 0 : git_tree_entrycount(tree);
  for (size_t i = 0; rc == 0 && i < n; i++) {
    spec_entry entry = {0};
    const git_tree_entry *raw = git_tree_entry_byindex(tree, i);
    entry.name = spec_path_join(r->arena, folder, git_tree_entry_name(raw));
    if (entry.name == NULL)
      return spec_fail_memory(err);
    if (strlen(entry.name) > PATH_MOST)
      return fail_deep(r, folder, err);
    fill(&entry, raw);
    if (revision->without != NULL && strcmp(revision->without, entry.name) == 0)
      continue;
    rc = entry.type == SPEC_ENTRY_FOLDER
             ? spec_repository_walk(r, revision, entry.name, fn, user, err)
             : fn(user, &entry, err);
  }
  return rc;
}
