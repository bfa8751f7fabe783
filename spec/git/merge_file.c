/* merge_file.c: libgit2's merge of lines, taken apart into what it settled and what it did not.
 *
 * Regions are told from the text by markers longer than any such run in the three files. */
#include "git/merge_file.h"

#include "base/buf.h"
#include "base/err.h"
#include "diff/merge_moved.h"
#include <git2.h>
#include <string.h>

enum { MARKER = GIT_MERGE_CONFLICT_MARKER_SIZE, MARKER_MAX = UINT16_MAX };

/* git looks for a NUL no farther than this. */
enum { BINARY_PREFIX = 8000 };

static bool is_binary(spec_line text) {
  return text.len > 0 &&
         memchr(text.text, 0, text.len < BINARY_PREFIX ? text.len : BINARY_PREFIX) != NULL;
}

/* --- libgit2 -------------------------------------------------------------------------------- */

static int merge(spec_line *out, bool *conflicts, spec_arena *arena,
                 const spec_merge_file_input *input, const git_merge_file_options *options,
                 spec_err *err) {
  git_merge_file_result result = {0};
  git_merge_file_input sides[3];
  const spec_line texts[] = {input->base, input->ours, input->theirs};
  for (size_t i = 0; i < 3; i++) {
    if (git_merge_file_input_init(&sides[i], GIT_MERGE_FILE_INPUT_VERSION) != 0)
      return spec_fail(err, SPEC_EIO, "libgit2 is of another version than its headers");
    sides[i].ptr = texts[i].len > 0 ? texts[i].text : "";
    sides[i].size = texts[i].len;
  }
  if (git_merge_file(&result, &sides[0], &sides[1], &sides[2], options) != 0) {
    const git_error *why = git_error_last();
    return spec_fail(err, SPEC_EIO, "cannot merge '%s': %s", input->path,
                     why != NULL ? why->message : "libgit2 failed");
  }
  out->text = spec_arena_strndup(arena, result.len > 0 ? result.ptr : "", result.len);
  out->len = result.len;
  *conflicts = !result.automergeable;
  git_merge_file_result_free(&result);
  return out->text == NULL ? spec_fail_memory(err) : SPEC_OK;
}

int spec_merge_file_lines(spec_line *out, bool *conflicts, spec_arena *arena,
                          const spec_merge_file_input *input, spec_err *err) {
  const git_merge_file_options options = {
      .version = GIT_MERGE_FILE_OPTIONS_VERSION,
      .flags = GIT_MERGE_FILE_STYLE_MERGE | GIT_MERGE_FILE_SIMPLIFY_ALNUM,
      .ancestor_label = input->base_label,
      .our_label = input->our_label,
      .their_label = input->their_label,
  };
  return merge(out, conflicts, arena, input, &options, err);
}

/* --- regions -------------------------------------------------------------------------------- */

/* The longest run of one of the markers' characters at the start of a line. */
static size_t longest_run(spec_line text) {
  size_t most = 0, run = 0;
  bool starts = true;
  for (size_t i = 0; i < text.len; i++) {
    char c = text.text[i];
    if (c == '\n') {
      starts = true;
      run = 0;
    } else if (starts && strchr("<|=>", c) != NULL && c != '\0' &&
               (run == 0 || c == text.text[i - 1])) {
      most = ++run > most ? run : most;
    } else {
      starts = false;
    }
  }
  return most;
}

static size_t marker_size(const spec_merge_file_input *input) {
  const spec_line texts[] = {input->base, input->ours, input->theirs};
  size_t most = MARKER;
  for (size_t i = 0; i < 3; i++) {
    size_t run = longest_run(texts[i]);
    most = run >= most ? run + 1 : most;
  }
  return most;
}

static bool is_marker(spec_line line, char c, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (i >= line.len || line.text[i] != c)
      return false;
  return line.len > size &&
         (line.text[size] == ' ' || line.text[size] == '\n' || line.text[size] == '\r');
}

static spec_line take_line(spec_line *rest) {
  const char *lf = memchr(rest->text, '\n', rest->len);
  size_t len = lf == NULL ? rest->len : (size_t)(lf - rest->text) + 1;
  spec_line line = {rest->text, len};
  rest->text += len;
  rest->len -= len;
  return line;
}

/* All up to the next line that is such a marker, and moves behind it; false: there is none. */
static bool take_part(spec_line *part, spec_line *rest, char marker, size_t size) {
  spec_line left = *rest;
  *part = (spec_line){rest->text, 0};
  while (left.len > 0) {
    spec_line line = take_line(&left);
    if (is_marker(line, marker, size)) {
      *rest = left;
      return true;
    }
    part->len += line.len;
  }
  *rest = left;
  return false;
}

/* A file's last line without LF was given one ahead of a marker: takes it away again. */
static void restore_end(spec_line *part, spec_line whole, spec_line rest) {
  bool unended = whole.len > 0 && whole.text[whole.len - 1] != '\n';
  if (!unended || rest.len > 0 || part->len == 0)
    return;
  part->len--;
  bool added_cr = part->len > 0 && part->text[part->len - 1] == '\r' &&
                  (part->len > whole.len ||
                   memcmp(part->text, whole.text + whole.len - part->len, part->len) != 0);
  part->len -= added_cr;
}

typedef struct walk {
  spec_merged_file *out;
  spec_arena *arena;
  const spec_merge_file_input *input;
  size_t size; /* of markers */
  spec_err *err;
} walk;

static int add_lines(walk *w, spec_line text) {
  return spec_merge_pieces_add(&w->out->pieces, w->arena,
                               &(spec_merge_piece){SPEC_MERGE_LINES, text, {0}, {0}, {0}}, w->err);
}

static int add_region(walk *w, spec_line *rest, spec_line before) {
  spec_merge_region region = {.path = w->input->path, .before = before};
  if (!take_part(&region.ours, rest, '|', w->size) ||
      !take_part(&region.base, rest, '=', w->size) ||
      !take_part(&region.theirs, rest, '>', w->size))
    return spec_fail(w->err, SPEC_EIO, "the merge of '%s' ends inside a conflict", w->input->path);
  restore_end(&region.ours, w->input->ours, *rest);
  restore_end(&region.base, w->input->base, *rest);
  restore_end(&region.theirs, w->input->theirs, *rest);
  if (w->input->lines_only)
    return spec_merge_pieces_add(
        &w->out->pieces, w->arena,
        &(spec_merge_piece){SPEC_MERGE_CONFLICT, {0}, region.base, region.ours, region.theirs},
        w->err);
  spec_line after = *rest;
  (void)take_part(&region.after, &after, '<', w->size);
  return spec_merge_region_resolve(&w->out->pieces, w->arena, &region, w->err);
}

static int add_regions(walk *w, spec_line merged) {
  spec_line rest = merged, text;
  for (;;) {
    bool more = take_part(&text, &rest, '<', w->size);
    int rc = add_lines(w, text);
    if (rc == 0 && more)
      rc = add_region(w, &rest, text);
    if (rc != 0 || !more)
      return rc;
  }
}

/* --- the result ----------------------------------------------------------------------------- */

static void add_part(spec_buf *out, const char *marker, const char *label, spec_line text,
                     const char *eol) {
  spec_buf_str(out, marker);
  if (label != NULL)
    spec_buf_printf(out, " %s", label);
  spec_buf_str(out, eol);
  spec_buf_add(out, text.text, text.len);
  if (text.len > 0 && text.text[text.len - 1] != '\n')
    spec_buf_str(out, eol);
}

static void add_conflict(spec_buf *out, const spec_merge_piece *piece,
                         const spec_merge_file_input *input) {
  const spec_line *some = piece->ours.len > 0 ? &piece->ours : &piece->theirs;
  const char *eol =
      some->len > 1 && memcmp(some->text + some->len - 2, "\r\n", 2) == 0 ? "\r\n" : "\n";
  add_part(out, "<<<<<<<", input->our_label, piece->ours, eol);
  add_part(out, "|||||||", input->base_label, piece->base, eol);
  add_part(out, "=======", NULL, piece->theirs, eol);
  add_part(out, ">>>>>>>", input->their_label, (spec_line){"", 0}, eol);
}

static int write_text(spec_merged_file *out, spec_arena *arena, const spec_merge_file_input *input,
                      spec_err *err) {
  spec_buf buf = {0};
  for (size_t i = 0; i < out->pieces.count; i++) {
    const spec_merge_piece *piece = &out->pieces.items[i];
    if (piece->how == SPEC_MERGE_CONFLICT)
      add_conflict(&buf, piece, input);
    else
      spec_buf_add(&buf, piece->text.text, piece->text.len);
  }
  bool failed = spec_buf_failed(&buf);
  out->text.text = failed ? NULL : spec_arena_strndup(arena, spec_buf_text(&buf), buf.len);
  out->text.len = buf.len;
  spec_buf_dispose(&buf);
  return out->text.text == NULL ? spec_fail_memory(err) : SPEC_OK;
}

static int merge_regions(walk *w) {
  const git_merge_file_options options = {
      .version = GIT_MERGE_FILE_OPTIONS_VERSION,
      .flags = GIT_MERGE_FILE_STYLE_DIFF3,
      .ancestor_label = "base",
      .our_label = "ours",
      .their_label = "theirs",
      .marker_size = (unsigned short)w->size,
  };
  spec_line merged = {0};
  bool conflicts;
  int rc = merge(&merged, &conflicts, w->arena, w->input, &options, w->err);
  return rc != 0 ? rc : add_regions(w, merged);
}

int spec_merge_file(spec_merged_file *out, spec_arena *arena, const spec_merge_file_input *input,
                    spec_err *err) {
  const spec_line base = input->base, ours = input->ours, theirs = input->theirs;
  spec_merged_file made = {0};
  walk w = {&made, arena, input, marker_size(input), err};
  bool conflicts = false;
  int rc;
  if (spec_line_equal(ours, base) || spec_line_equal(ours, theirs)) {
    made.text = theirs;
  } else if (spec_line_equal(theirs, base)) {
    made.text = ours;
  } else if (is_binary(base) || is_binary(ours) || is_binary(theirs) || w.size > MARKER_MAX) {
    conflicts = true;
  } else {
    rc = spec_merge_file_lines(&made.text, &conflicts, arena, input, err);
    if (rc != 0)
      return rc;
    if (conflicts) {
      rc = merge_regions(&w);
      if (rc == 0 && !input->lines_only)
        rc = spec_merge_follow_moves(&made.pieces, arena, base, err);
      if (rc == 0)
        rc = write_text(&made, arena, input, err);
      *out = made;
      return rc;
    }
  }
  const spec_merge_piece all = {SPEC_MERGE_CONFLICT, {0}, base, ours, theirs};
  rc = conflicts ? spec_merge_pieces_add(&made.pieces, arena, &all, err) : add_lines(&w, made.text);
  if (rc == 0 && conflicts)
    rc = write_text(&made, arena, input, err);
  *out = made;
  return rc;
}

size_t spec_merged_line(const spec_merged_file *merged, size_t piece) {
  size_t line = 1;
  for (size_t i = 0; i < piece && i < merged->pieces.count; i++) {
    const spec_merge_piece *p = &merged->pieces.items[i];
    const spec_line texts[] = {p->text, p->ours, p->base, p->theirs};
    bool conflict = p->how == SPEC_MERGE_CONFLICT;
    line += conflict ? 4 : 0;
    for (size_t k = conflict ? 1 : 0; k < (conflict ? 4 : 1); k++) {
      for (size_t c = 0; c < texts[k].len; c++)
        line += texts[k].text[c] == '\n';
      line += conflict && texts[k].len > 0 && texts[k].text[texts[k].len - 1] != '\n';
    }
  }
  return line;
}
