/* override_merge.c */
#include "git/override_merge.h"

#include "base/err.h"
#include "base/fs.h"
#include "core/patch.h"
#include "git/definitions.h"
#include <string.h>

static const char *const NAMES[] = {
    [SPEC_CARRIED_SAME] = "same",         [SPEC_CARRIED_MERGED] = "merged",
    [SPEC_CARRIED_REVIEW] = "review",     [SPEC_CARRIED_UPSTREAMED] = "upstreamed",
    [SPEC_CARRIED_CONFLICT] = "conflict", [SPEC_CARRIED_BY_HAND] = "by hand",
    [SPEC_CARRIED_ORPHANED] = "orphaned",
};

const char *spec_carried_name(spec_carried carried) {
  return NAMES[carried];
}

typedef struct carrying {
  spec_override_merge *out;
  const spec_override_merge_input *input;
  const spec_vendor_file *file;
  const spec_lock_line *line;
  spec_patch patch; /* of a patch, once read_ours() has read it */
  spec_err *err;
} carrying;

static bool is_same(spec_line a, spec_line b) {
  return (a.text == NULL) == (b.text == NULL) && spec_line_equal(a, b);
}

static int by_hand(carrying *c, const char *why) {
  c->out->carried = SPEC_CARRIED_BY_HAND;
  c->out->why = why;
  return SPEC_OK;
}

static int read_blob(carrying *c, spec_line *out, const char *id) {
  return spec_repository_read(c->input->repository, c->input->arena, &out->text, &out->len, id,
                              c->err);
}

static int read_base(carrying *c) {
  if (strcmp(c->line->blob, "-") == 0)
    return SPEC_OK;
  if (c->input->base.text != NULL) {
    c->out->base = c->input->base;
    return SPEC_OK;
  }
  int rc = read_blob(c, &c->out->base, c->line->blob);
  return rc == 0 ? rc : spec_fail_where(c->err, "%s", c->file->trunk);
}

/* The file as the override makes it of its base. */
static int read_ours(carrying *c) {
  spec_fs_file own;
  spec_patched made;
  if (c->file->action == SPEC_REMOVE)
    return SPEC_OK;
  int rc = spec_fs_load(c->input->arena, &own, c->file->path, c->err);
  if (rc != 0)
    return rc;
  c->out->executable = own.executable;
  c->out->ours = (spec_line){own.data, own.len};
  if (c->file->action != SPEC_PATCH)
    return SPEC_OK;
  rc = spec_patch_parse(&c->patch, c->input->arena, own.data, own.len, c->file->path,
                        c->file->trunk, c->err);
  const spec_line base = c->out->base;
  if (rc == 0)
    rc = spec_patch_apply(&made, c->input->arena, &c->patch,
                          &(spec_patch_base){base.text, base.len, c->file->trunk, true}, c->err);
  if (rc == 0)
    c->out->ours = (spec_line){made.text, made.len};
  c->out->mode = rc == 0 ? c->patch.new_mode : 0;
  return rc;
}

/* What the revision has at the override's own path. */
static int look(carrying *c) {
  spec_override_merge *out = c->out;
  spec_entry entry;
  out->trunk = c->file->trunk;
  int rc = spec_repository_entry(c->input->repository, &entry, c->input->to, out->trunk, c->err);
  if (rc != 0)
    return rc;
  const bool is_file = entry.type == SPEC_ENTRY_FILE;
  memcpy(out->blob, is_file ? entry.id : "-", is_file ? sizeof out->blob : 2);
  if (is_file || entry.type == SPEC_ENTRY_NONE)
    return SPEC_OK;
  return by_hand(c, entry.type == SPEC_ENTRY_LINK     ? "the trunk's file became a link"
                    : entry.type == SPEC_ENTRY_FOLDER ? "the trunk's file became a folder"
                                                      : "the trunk's file is in a submodule");
}

/* Where a file went that the revision has not at its path any more. */
static int follow(carrying *c) {
  spec_override_merge *out = c->out;
  spec_rename rename;
  if (strcmp(out->blob, "-") != 0 || out->base.text == NULL)
    return SPEC_OK;
  int rc = spec_renames_find(c->input->renames, &rename, out->trunk, out->base.text, out->base.len,
                             c->err);
  if (rc != 0 || rename.path == NULL) {
    out->carried = SPEC_CARRIED_ORPHANED;
    return rc;
  }
  out->trunk = rename.path;
  out->likeness = rename.likeness;
  memcpy(out->blob, rename.id, sizeof out->blob);
  return SPEC_OK;
}

/* The three texts of a module that holds definitions only. */
static int take_definitions(carrying *c, spec_merge_file_input *in) {
  const char *why = NULL;
  spec_line base, theirs = {0};
  const spec_line none = {0};
  int rc = spec_definitions_of(&base, &why, c->input->arena, in->ours, in->base, none, c->err);
  if (rc == 0 && why == NULL)
    rc =
        spec_definitions_of(&theirs, &why, c->input->arena, in->ours, in->theirs, in->base, c->err);
  if (rc != 0)
    return rc;
  if (why != NULL)
    return by_hand(c, "it holds definitions, and one of the texts is not Python");
  in->base = base;
  in->theirs = theirs;
  return SPEC_OK;
}

static int merge_texts(carrying *c) {
  spec_override_merge *out = c->out;
  const spec_line nothing = {"", 0};
  const bool definitions = c->file->policy == SPEC_POLICY_MERGE && c->file->action == SPEC_REPLACE;
  spec_merge_file_input in = {.base = out->base.text != NULL ? out->base : nothing,
                              .ours = out->ours,
                              .theirs = out->theirs,
                              .path = out->trunk,
                              .lines_only = out->base.text == NULL, /* two files of one name */
                              .base_label = c->input->base_label,
                              .our_label = c->input->our_label,
                              .their_label = c->input->their_label};
  int rc = definitions && out->base.text != NULL ? take_definitions(c, &in) : SPEC_OK;
  if (rc != 0 || out->carried == SPEC_CARRIED_BY_HAND)
    return rc;
  rc = spec_merge_file(&out->merged, c->input->arena, &in, c->err);
  if (rc != 0)
    return rc;
  if (out->merged.pieces.conflicts > 0) {
    bool binary = memchr(out->merged.text.text, 0, out->merged.text.len) != NULL;
    out->carried = SPEC_CARRIED_CONFLICT;
    return binary ? by_hand(c, "a file with a NUL is not merged") : SPEC_OK;
  }
  out->carried = out->merged.pieces.reviews > 0 ? SPEC_CARRIED_REVIEW : SPEC_CARRIED_MERGED;
  if (!definitions && is_same(out->merged.text, out->theirs))
    out->carried = SPEC_CARRIED_UPSTREAMED;
  return SPEC_OK;
}

/* Hunks of a patch whose new lines the trunk has by now. */
static void count_upstreamed(carrying *c) {
  spec_patch_places places;
  spec_err refused = {0};
  const spec_line theirs = c->out->theirs;
  const spec_patch_base base = {theirs.text, theirs.len, c->file->trunk, false};
  if (c->file->action == SPEC_PATCH &&
      spec_patch_place(&places, c->input->arena, &c->patch, &base, &refused) == 0)
    c->out->upstreamed_hunks = places.upstreamed;
}

static int carry(carrying *c) {
  spec_override_merge *out = c->out;
  const bool has_theirs = strcmp(out->blob, "-") != 0;
  int rc = has_theirs ? read_blob(c, &out->theirs, out->blob) : SPEC_OK;
  if (rc != 0)
    return rc;
  if (out->ours.text == NULL) { /* what is removed stays so, whatever it has become */
    out->carried = SPEC_CARRIED_MERGED;
    return out->likeness > 0 && c->file->action == SPEC_REMOVE
               ? by_hand(c, "the file that spec.ini removes was moved")
               : SPEC_OK;
  }
  rc = merge_texts(c);
  if (out->likeness > 0 && out->carried == SPEC_CARRIED_MERGED) /* that it went there is a guess */
    out->carried = SPEC_CARRIED_REVIEW;
  if (rc == 0)
    count_upstreamed(c);
  return rc;
}

int spec_override_merge_to(spec_override_merge *out, const spec_override_merge_input *input,
                           const spec_vendor_file *file, const spec_lock_line *line,
                           spec_err *err) {
  *out = (spec_override_merge){0};
  carrying c = {.out = out, .input = input, .file = file, .line = line, .err = err};
  int rc = look(&c);
  if (rc != 0 || out->carried == SPEC_CARRIED_BY_HAND || strcmp(out->blob, line->blob) == 0)
    return rc;
  rc = read_base(&c);
  if (rc == 0)
    rc = read_ours(&c);
  if (rc == 0)
    rc = follow(&c);
  if (rc != 0 || out->carried != SPEC_CARRIED_ORPHANED)
    return rc != 0 ? rc : carry(&c);
  if (out->ours.text == NULL) /* the trunk has removed it too */
    out->carried = SPEC_CARRIED_UPSTREAMED;
  return SPEC_OK;
}
