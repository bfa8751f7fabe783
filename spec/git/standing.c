/* standing.c */
#include "git/standing.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/blob_id.h"
#include "git/changed_lines.h"
#include "git/moved_folder.h"
#include <string.h>

static const char *const names[SPEC_STATES] = {
    [SPEC_STATE_CLEAN] = "clean",
    [SPEC_STATE_DRIFTED] = "drifted",
    [SPEC_STATE_CONFLICTING] = "conflicting",
    [SPEC_STATE_ORPHANED] = "orphaned",
    [SPEC_STATE_UPSTREAMED] = "upstreamed",
    [SPEC_STATE_REDUNDANT] = "redundant",
    [SPEC_STATE_UNLOCKED] = "unlocked",
    [SPEC_STATE_REVIEW] = "review",
    [SPEC_STATE_BROKEN] = "broken",
    [SPEC_STATE_STALE] = "stale",
};

const char *spec_state_name(spec_state state) {
  return names[state];
}

typedef struct judging {
  spec_standing *out;
  const spec_standing_input *in;
  spec_renames *renames;       /* since the locked commit */
  char own[SPEC_BLOB_ID_SIZE]; /* of the override's file; "" for a patch and a removal */
  spec_err *err;
} judging;

static int say(judging *j, spec_state state, const char *why) {
  j->out->state = state;
  j->out->why = spec_arena_strdup(j->in->arena, why);
  return j->out->why == NULL ? spec_fail_memory(j->err) : SPEC_OK;
}

/* Files that are new since a commit; one list for all overrides that were made against it. */
static int find_renames(judging *j, const char *commit) {
  const spec_standing_input *in = j->in;
  j->renames = spec_map_get(in->renames, commit, NULL);
  if (j->renames != NULL)
    return SPEC_OK;
  spec_renames *r = spec_arena_alloc(in->arena, sizeof *r);
  spec_revision *from = spec_arena_alloc(in->arena, sizeof *from);
  spec_err ignored;
  if (r == NULL || from == NULL)
    return spec_fail_memory(j->err);
  *r = (spec_renames){.repository = in->repository, .arena = in->arena, .to = in->now};
  /* Not known, or of another repository: then every file may be what a gone one has become. */
  if (strcmp(commit, "-") != 0 &&
      spec_repository_commit(in->repository, from, commit, &ignored) == 0)
    r->from = from;
  j->renames = r;
  return spec_map_set(in->renames, commit, r, j->err);
}

/* The id of the override's own file, where that is the whole text. */
static int read_own(judging *j) {
  const spec_vendor_file *file = j->out->file;
  spec_arena *scratch;
  j->own[0] = '\0';
  if (file->action != SPEC_REPLACE || file->policy == SPEC_POLICY_MERGE)
    return SPEC_OK;
  int rc = spec_arena_new(&scratch, j->err);
  if (rc != 0)
    return rc;
  rc = spec_blob_id_of_file(scratch, j->own, file->path, j->err);
  spec_arena_free(scratch);
  return rc;
}

/* The locked text may only be in the folder of an older trunk. */
static int lend_older(judging *j) {
  return spec_repository_lend_older(j->in->repository, j->out->line->blob, j->in->older,
                                    j->out->file->trunk, j->err);
}

static size_t line_of(spec_line in, const char *at) {
  size_t line = 1;
  for (const char *p = in.text; p < at; p++)
    line += *p == '\n';
  return line;
}

/* The regions that conflict, as lines of the override's file. */
static int find_regions(judging *j, const spec_override_merge *m) {
  const spec_merge_pieces *pieces = &m->merged.pieces;
  spec_standing *out = j->out;
  out->regions = spec_arena_array(j->in->arena, pieces->conflicts, sizeof *out->regions);
  if (out->regions == NULL)
    return spec_fail_memory(j->err);
  for (size_t i = 0; i < pieces->count; i++) {
    const spec_merge_piece *p = &pieces->items[i];
    if (p->how != SPEC_MERGE_CONFLICT)
      continue;
    bool inside = p->ours.text >= m->ours.text && p->ours.text <= m->ours.text + m->ours.len;
    size_t first = inside ? line_of(m->ours, p->ours.text) : spec_merged_line(&m->merged, i);
    size_t lines = line_of(p->ours, p->ours.text + p->ours.len) - 1;
    bool unended = p->ours.len > 0 && p->ours.text[p->ours.len - 1] != '\n';
    lines += unended;
    out->regions[out->region_count++] =
        (spec_lines_range){first, first + (lines > 0 ? lines - 1 : 0)};
  }
  return SPEC_OK;
}

static int count_lines(judging *j, const spec_override_merge *m) {
  spec_err ignored;
  if (m->base.text != NULL && m->theirs.text != NULL &&
      spec_changed_lines(&j->out->added, &j->out->removed, m->base.text, m->base.len,
                         m->theirs.text, m->theirs.len, &ignored) != 0)
    j->out->added = j->out->removed = -1;
  return SPEC_OK;
}

/* The file is gone from its path. */
static int judge_orphan(judging *j, const spec_override_merge *m) {
  int rc = say(j, SPEC_STATE_ORPHANED, "");
  if (rc == 0 && m->likeness > 0) {
    j->out->moved_to = m->trunk;
    j->out->likeness = m->likeness;
    if (m->carried == SPEC_CARRIED_CONFLICT)
      rc = find_regions(j, m);
  }
  return rc;
}

static int judge_same(judging *j) {
  const spec_standing *out = j->out;
  if (j->own[0] != '\0' && strcmp(j->own, out->line->blob) == 0)
    return say(j, SPEC_STATE_REDUNDANT, "it is the trunk's own file");
  const char *folder = NULL;
  if (strcmp(out->line->blob, "-") == 0 && out->file->action == SPEC_REPLACE) {
    int rc = spec_moved_folder(&folder, j->renames, out->file->trunk, j->err);
    if (rc != 0)
      return rc;
  }
  if (folder != NULL) {
    j->out->moved_to = spec_path_join(j->in->arena, folder, spec_path_basename(out->file->trunk));
    return j->out->moved_to == NULL ? spec_fail_memory(j->err)
                                    : say(j, SPEC_STATE_ORPHANED, "the trunk has moved its folder");
  }
  return say(j, out->line->review ? SPEC_STATE_REVIEW : SPEC_STATE_CLEAN, "");
}

static int judge_carried(judging *j, const spec_override_merge *m) {
  spec_standing *out = j->out;
  out->reviews = m->merged.pieces.reviews;
  out->upstreamed_hunks = m->upstreamed_hunks;
  if (m->carried == SPEC_CARRIED_SAME)
    return judge_same(j);
  int rc = count_lines(j, m);
  if (rc != 0 || m->carried == SPEC_CARRIED_ORPHANED || m->likeness > 0)
    return rc != 0 ? rc : judge_orphan(j, m);
  switch (m->carried) {
  case SPEC_CARRIED_UPSTREAMED:
    return say(j, SPEC_STATE_UPSTREAMED, "the trunk does by itself what it did");
  case SPEC_CARRIED_CONFLICT:
    rc = find_regions(j, m);
    return rc != 0 ? rc : say(j, SPEC_STATE_CONFLICTING, "");
  case SPEC_CARRIED_BY_HAND:
    return say(j, SPEC_STATE_CONFLICTING, m->why);
  default:
    return say(j, SPEC_STATE_DRIFTED, "");
  }
}

/* Without the locked text there is no merge, but some things are known. */
static int judge_without_base(judging *j, const spec_err *why) {
  spec_entry now;
  int rc = spec_repository_entry(j->in->repository, &now, j->in->now, j->out->file->trunk, j->err);
  if (rc != 0)
    return rc;
  if (now.type == SPEC_ENTRY_NONE)
    return say(j, SPEC_STATE_ORPHANED, "the text it was made against is not at hand");
  if (j->own[0] != '\0' && strcmp(j->own, now.id) == 0)
    return say(j, SPEC_STATE_UPSTREAMED, "it is the trunk's own file now");
  const char *text =
      spec_arena_printf(j->in->arena, "the text it was made against is not at hand: %s", why->what);
  return text == NULL ? spec_fail_memory(j->err) : say(j, SPEC_STATE_DRIFTED, text);
}

static int judge_unlocked(judging *j) {
  spec_entry now;
  int rc = spec_repository_entry(j->in->repository, &now, j->in->now, j->out->file->trunk, j->err);
  if (rc != 0)
    return rc;
  if (j->own[0] != '\0' && strcmp(j->own, now.id) == 0)
    return say(j, SPEC_STATE_REDUNDANT, "it is the trunk's own file");
  return say(j, SPEC_STATE_UNLOCKED, "");
}

int spec_standing_of(spec_standing *out, const spec_standing_input *input,
                     const spec_vendor_file *file, const spec_lock_line *line, spec_err *err) {
  *out = (spec_standing){.file = file, .line = line, .why = "", .added = -1, .removed = -1};
  judging j = {.out = out, .in = input, .err = err};
  spec_err failed = {0};
  spec_override_merge merge;
  int rc = read_own(&j);
  if (rc == 0 && line == NULL)
    return judge_unlocked(&j);
  if (rc == 0)
    rc = find_renames(&j, line->commit);
  if (rc == 0)
    rc = lend_older(&j);
  if (rc != 0)
    return rc;
  const spec_override_merge_input in = {.repository = input->repository,
                                        .arena = input->arena,
                                        .to = input->now,
                                        .renames = j.renames,
                                        .base_label = "base",
                                        .our_label = "override",
                                        .their_label = "trunk"};
  rc = spec_override_merge_to(&merge, &in, file, line, &failed);
  if (rc == 0)
    return judge_carried(&j, &merge);
  if (rc == SPEC_ENOTFOUND && merge.base.text == NULL)
    return judge_without_base(&j, &failed);
  if (file->action == SPEC_PATCH && rc != SPEC_ENOMEM && rc != SPEC_EIO)
    return say(&j, SPEC_STATE_BROKEN, failed.what);
  *err = failed;
  return rc;
}
