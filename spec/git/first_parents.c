/* first_parents.c */
#include "git/first_parents.h"

#include "base/err.h"
#include "base/path.h"
#include "git/repository_parts.h"
#include <string.h>

/* Ids that are still to be met. */
static int wanted(spec_map **out, spec_arena *arena, const char *const *until, size_t count,
                  spec_err *err) {
  int rc = spec_map_new(out, arena, err);
  for (size_t i = 0; rc == 0 && i < count; i++)
    rc = spec_map_set(*out, until[i], (void *)until[i], err);
  return rc;
}

static int append(spec_first_parents *h, size_t *cap, const git_commit *commit, spec_err *err) {
  int rc = spec_arena_reserve(h->arena, &h->commits, h->count, cap, sizeof *h->commits, err);
  if (rc != 0)
    return rc;
  spec_parent_commit *c = &h->commits[h->count++];
  git_oid_tostr(c->id, sizeof c->id, git_commit_id(commit));
  git_oid_tostr(c->tree, sizeof c->tree, git_commit_tree_id(commit));
  return SPEC_OK;
}

/* Newest first. */
static int read_line(spec_first_parents *h, const char *to, spec_map *until, spec_err *err) {
  git_commit *commit = NULL, *parent = NULL;
  git_oid id;
  size_t cap = 0, left = spec_map_count(until);
  int rc = SPEC_OK, code = git_oid_fromstr(&id, to);
  if (code == 0)
    code = git_commit_lookup(&commit, h->repository->git, &id);
  if (code < 0)
    return spec_repository_fail(h->repository, SPEC_EINVAL, "cannot read a commit", err);
  while (rc == 0 && commit != NULL) {
    rc = append(h, &cap, commit, err);
    if (rc == 0 && spec_map_get(until, h->commits[h->count - 1].id, NULL) != NULL)
      left--;
    bool ends = rc != 0 || left == 0 || git_commit_parentcount(commit) == 0;
    /* A parent that is missing: there a shallow clone ends. */
    if (ends || git_commit_parent(&parent, commit, 0) < 0)
      parent = NULL;
    git_commit_free(commit);
    commit = parent;
  }
  return rc;
}

static int index_line(spec_first_parents *h, spec_err *err) {
  for (size_t i = 0, j = h->count; i + 1 < j; i++) {
    spec_parent_commit newer = h->commits[i];
    h->commits[i] = h->commits[--j];
    h->commits[j] = newer;
  }
  int rc = spec_map_new(&h->by_id, h->arena, err);
  for (size_t i = 0; rc == 0 && i < h->count; i++)
    rc = spec_map_set(h->by_id, h->commits[i].id, (void *)(uintptr_t)(i + 1), err);
  return rc;
}

int spec_first_parents_read(spec_first_parents *out, const spec_revision *to,
                            const char *const *until, size_t until_count, spec_err *err) {
  spec_map *left = NULL;
  if (to->commit[0] == '\0' || !spec_repository_is_git(out->repository)) {
    spec_fail(err, SPEC_EINVAL, "a history begins with a commit");
    return spec_fail_mend(err, "name a branch, a tag or a commit");
  }
  int rc = wanted(&left, out->arena, until, until_count, err);
  if (rc == 0)
    rc = read_line(out, to->commit, left, err);
  spec_map_free(left);
  return rc != 0 ? rc : index_line(out, err);
}

void spec_first_parents_free(spec_first_parents *h) {
  spec_map_free(h->by_id);
}

/* Whether the commit at an index is an ancestor of `id`; negative: `id` cannot be read. */
static int is_ancestor(const spec_first_parents *h, size_t index, const git_oid *id) {
  git_oid other;
  if (git_oid_fromstr(&other, h->commits[index].id) < 0)
    return -1;
  return git_graph_descendant_of(h->repository->git, id, &other);
}

int spec_first_parents_since(size_t *out, const spec_first_parents *h, const char *commit,
                             spec_err *err) {
  (void)err;
  uintptr_t known = (uintptr_t)spec_map_get(h->by_id, commit, NULL);
  git_oid id;
  *out = known > 0 ? known - 1 : SPEC_NO_COMMIT;
  if (known > 0 || git_oid_fromstr(&id, commit) < 0)
    return SPEC_OK;
  size_t low = 0, high = h->count; /* all before low are ancestors, none from high on is */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int ancestor = is_ancestor(h, middle, &id);
    if (ancestor < 0)
      return SPEC_OK;
    if (ancestor == 1)
      low = middle + 1;
    else
      high = middle;
  }
  if (low > 0)
    *out = low - 1;
  return SPEC_OK;
}

int spec_path_ids_new(spec_path_ids *out, const spec_first_parents *h, const char *path,
                      spec_err *err) {
  const char *whole = spec_path_join(h->arena, h->repository->prefix, path);
  *out = (spec_path_ids){.depth = 1};
  for (const char *p = whole; p != NULL && *p != '\0'; p++)
    out->depth += *p == '/';
  out->parts = spec_arena_array(h->arena, out->depth, sizeof *out->parts);
  out->ids = spec_arena_array(h->arena, out->depth, sizeof *out->ids);
  if (whole == NULL || out->parts == NULL || out->ids == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < out->depth; i++) {
    size_t len = strcspn(whole, "/");
    out->parts[i] = spec_arena_strndup(h->arena, whole, len);
    if (out->parts[i] == NULL)
      return spec_fail_memory(err);
    whole += len + (whole[len] == '/');
  }
  return SPEC_OK;
}

/* The type of an entry that is no folder on the way to the file. */
static void end_at(spec_path_ids *path, size_t level, const git_tree_entry *entry) {
  git_filemode_t mode = entry == NULL ? GIT_FILEMODE_UNREADABLE : git_tree_entry_filemode(entry);
  bool is_last = level + 1 == path->depth;
  path->entry = (spec_entry){.type = SPEC_ENTRY_NONE};
  if (level + 1 < path->depth)
    path->ids[level + 1][0] = '\0';
  if (mode == GIT_FILEMODE_COMMIT)
    path->entry.type = SPEC_ENTRY_SUBMODULE;
  else if (is_last && mode == GIT_FILEMODE_TREE)
    path->entry.type = SPEC_ENTRY_FOLDER;
  else if (is_last && mode != GIT_FILEMODE_UNREADABLE)
    path->entry.type = mode == GIT_FILEMODE_LINK ? SPEC_ENTRY_LINK : SPEC_ENTRY_FILE;
  if (path->entry.type != SPEC_ENTRY_NONE)
    git_oid_tostr(path->entry.id, sizeof path->entry.id, git_tree_entry_id(entry));
}

int spec_first_parents_entry(const spec_first_parents *h, spec_entry *out, spec_path_ids *path,
                             size_t index, spec_err *err) {
  char id[SPEC_OBJECT_ID_SIZE];
  memcpy(id, h->commits[index].tree, sizeof id);
  for (size_t level = 0; level < path->depth; level++) {
    const git_tree *tree;
    git_oid oid;
    if (strcmp(path->ids[level], id) == 0) /* all below is as it was */
      break;
    memcpy(path->ids[level], id, sizeof id);
    if (git_oid_fromstr(&oid, id) < 0)
      return spec_repository_fail(h->repository, SPEC_EINVAL, "this is no id of a tree", err);
    int rc = spec_repository_tree(h->repository, &tree, &oid, err);
    if (rc != 0)
      return rc;
    const git_tree_entry *entry = git_tree_entry_byname(tree, path->parts[level]);
    if (entry == NULL || level + 1 == path->depth ||
        git_tree_entry_filemode(entry) != GIT_FILEMODE_TREE) {
      end_at(path, level, entry);
      break;
    }
    git_oid_tostr(id, sizeof id, git_tree_entry_id(entry));
  }
  *out = path->entry;
  return SPEC_OK;
}
