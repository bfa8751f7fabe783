/* bisect.c */
#include "git/bisect.h"

#include "base/err.h"
#include "base/path.h"
#include "git/first_parents.h"
#include <string.h>

/* A file's ids along the history, from the commit after the locked one on. */
typedef struct track {
  spec_bisected *out;
  size_t start; /* index of the commit it was made against */
  spec_path_ids ids;
  char blob[SPEC_OBJECT_ID_SIZE]; /* at the latest commit; "-": no file */
  bool is_addition;
  spec_path_ids folder; /* of an addition */
  spec_entry_type folder_type;
} track;

typedef struct bisecting {
  const spec_bisect_input *in;
  spec_first_parents history;
  spec_err *err;
} bisecting;

static const char *commit_at(const bisecting *b, size_t index) {
  return b->history.commits[index].id;
}

static const char *blob_of(const spec_entry *entry) {
  return entry->type == SPEC_ENTRY_NONE ? "-" : entry->id;
}

/* Where the history that concerns an override begins. */
static int find_start(bisecting *b, track *t) {
  const spec_lock_line *line = t->out->line;
  if (strcmp(line->commit, "-") != 0)
    return spec_first_parents_since(&t->start, &b->history, line->commit, b->err);
  spec_entry entry;
  for (size_t i = b->history.count; i > 0; i--) {
    int rc = spec_first_parents_entry(&b->history, &entry, &t->ids, i - 1, b->err);
    if (rc != 0)
      return rc;
    if (strcmp(blob_of(&entry), line->blob) == 0) {
      t->start = i - 1;
      return SPEC_OK;
    }
  }
  t->start = SPEC_NO_COMMIT;
  return SPEC_OK;
}

static bool breaks(spec_state state) {
  return state == SPEC_STATE_CONFLICTING || state == SPEC_STATE_ORPHANED ||
         state == SPEC_STATE_BROKEN;
}

/* How the override stands towards one commit that changed its file. */
static int judge(bisecting *b, track *t, size_t index) {
  spec_revision *now = spec_arena_alloc(b->in->arena, sizeof *now);
  spec_map *renames;
  if (now == NULL)
    return spec_fail_memory(b->err);
  int rc = spec_repository_commit(b->in->repository, now, commit_at(b, index), b->err);
  if (rc == 0)
    rc = spec_map_new(&renames, b->in->arena, b->err);
  if (rc != 0)
    return rc;
  now->without = b->in->without;
  const spec_standing_input input = {
      .repository = b->in->repository, .arena = b->in->arena, .now = now, .renames = renames};
  rc = spec_standing_of(&t->out->standing, &input, t->out->file, t->out->line, b->err);
  spec_map_free(renames);
  if (rc == 0 && breaks(t->out->standing.state))
    t->out->broken = commit_at(b, index);
  return rc;
}

/* Whether a commit has another file than the one before; of an addition, whether its folder is
 * there counts too. */
static int differs(bisecting *b, track *t, bool *out, size_t index) {
  spec_entry file, folder = {0};
  int rc = spec_first_parents_entry(&b->history, &file, &t->ids, index, b->err);
  if (rc == 0 && t->is_addition)
    rc = spec_first_parents_entry(&b->history, &folder, &t->folder, index, b->err);
  if (rc != 0)
    return rc;
  *out = strcmp(blob_of(&file), t->blob) != 0 || folder.type != t->folder_type;
  memcpy(t->blob, blob_of(&file), strlen(blob_of(&file)) + 1);
  t->folder_type = folder.type;
  return SPEC_OK;
}

static int begin(bisecting *b, track *t) {
  const char *trunk = t->out->file->trunk, *blob = t->out->line->blob;
  spec_entry folder = {0};
  memcpy(t->blob, blob, strlen(blob) + 1);
  t->is_addition = strcmp(blob, "-") == 0 && strchr(trunk, '/') != NULL;
  if (!t->is_addition)
    return SPEC_OK;
  const char *dir = spec_path_dirname(b->in->arena, trunk);
  int rc = dir == NULL ? spec_fail_memory(b->err)
                       : spec_path_ids_new(&t->folder, &b->history, dir, b->err);
  if (rc == 0)
    rc = spec_first_parents_entry(&b->history, &folder, &t->folder, t->start, b->err);
  t->folder_type = folder.type;
  return rc;
}

/* Follows one file from its start until it breaks. */
static int follow(bisecting *b, track *t) {
  spec_bisected *out = t->out;
  int rc = begin(b, t);
  for (size_t i = t->start + 1; rc == 0 && out->broken == NULL && i < b->history.count; i++) {
    bool changed = false;
    rc = differs(b, t, &changed, i);
    if (rc != 0 || !changed)
      continue;
    if (out->changes++ == 0)
      out->change = commit_at(b, i);
    rc = judge(b, t, i);
  }
  return rc;
}

static int bisect_one(bisecting *b, spec_bisected *out) {
  track t = {.out = out};
  out->why = "";
  if (out->line == NULL)
    return SPEC_OK;
  int rc = spec_path_ids_new(&t.ids, &b->history, out->file->trunk, b->err);
  if (rc == 0)
    rc = find_start(b, &t);
  if (rc != 0)
    return rc;
  if (t.start == SPEC_NO_COMMIT) {
    out->why = strcmp(out->line->commit, "-") == 0
                   ? "no commit of this history has the text it was made against"
                   : "the commit it was made against has nothing in common with this history";
    return SPEC_OK;
  }
  return follow(b, &t);
}

int spec_bisect(spec_bisected *items, size_t count, const spec_bisect_input *input, spec_err *err) {
  bisecting b = {
      .in = input, .history = {.repository = input->repository, .arena = input->arena}, .err = err};
  const char **until = spec_arena_array(input->arena, count, sizeof *until);
  if (until == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < count; i++)
    until[i] = items[i].line == NULL ? "" : items[i].line->commit;
  int rc = spec_first_parents_read(&b.history, input->to, until, count, err);
  for (size_t i = 0; rc == 0 && i < count; i++)
    rc = bisect_one(&b, &items[i]);
  spec_first_parents_free(&b.history);
  return rc;
}
