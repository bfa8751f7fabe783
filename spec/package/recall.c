/* recall.c: "<word> <value>" lines, and the looks behind them. */
#include "package/recall.h"

#include "base/digest.h"
#include "base/err.h"
#include "base/path.h"
#include "package/embedded.h"
#include <string.h>

static const char version[] = "triton-spec plan 1";

struct spec_kept_event {
  spec_event event;
  spec_kept_event *next;
};

/* --- keeping --- */

void spec_keep_event(void *user, const spec_event *event) {
  spec_kept_events *kept = user;
  spec_kept_event *item = spec_arena_alloc(kept->arena, sizeof *item);
  if (item != NULL)
    item->event = (spec_event){event->severity, spec_arena_strdup(kept->arena, event->code),
                               spec_arena_strdup(kept->arena, event->where),
                               spec_arena_strdup(kept->arena, event->message),
                               spec_arena_strdup(kept->arena, event->mend)};
  kept->failed |= item == NULL || item->event.code == NULL || item->event.where == NULL ||
                  item->event.message == NULL || item->event.mend == NULL;
  if (!kept->failed && kept->last != NULL)
    kept->last->next = item;
  else if (!kept->failed)
    kept->first = item;
  if (!kept->failed)
    kept->last = item;
  if (kept->on_event != NULL)
    kept->on_event(kept->user, event);
}

int spec_recall_name(spec_arena *arena, char out[33], const spec_options *options, spec_err *err) {
  const char *cwd, *trunk;
  spec_digest *digest = spec_digest_new(arena);
  int rc = spec_fs_cwd(arena, &cwd, err);
  if (rc != 0)
    return rc;
  trunk = spec_path_resolve(arena, cwd, options->trunk);
  if (digest == NULL || trunk == NULL)
    return spec_fail_memory(err);
  spec_digest_str(digest, spec_engine_id);
  spec_digest_str(digest, trunk);
  spec_digest_str(digest, options->backend);
  for (size_t i = 0; i < options->root_count; i++) {
    const char *root = spec_path_resolve(arena, cwd, options->roots[i]);
    if (root == NULL)
      return spec_fail_memory(err);
    spec_digest_str(digest, root);
  }
  const bool flags[] = {options->installed, options->strict_redundant, options->strict_signatures};
  spec_digest_add(digest, (const char *)flags, sizeof flags);
  spec_digest_add(digest, (const char *)&options->drift, sizeof options->drift);
  spec_digest_hex(digest, out);
  return SPEC_OK;
}

static void write_line(spec_buf *out, const char *word, const char *value) {
  spec_buf_printf(out, "%s ", word);
  spec_looks_write_path(out, value);
  spec_buf_char(out, '\n');
}

int spec_recall_keep(spec_arena *arena, const char *path, const char key[33],
                     const spec_kept_events *events, const spec_looks *looks, spec_err *err) {
  static const char *const severities[] = {"note", "warning", "error"};
  spec_buf text = {0};
  const char *dir = spec_path_dirname(arena, path);
  if (dir == NULL || events->failed)
    return spec_fail_memory(err);
  spec_buf_printf(&text, "%s\n", version);
  write_line(&text, "key", key);
  for (const spec_kept_event *e = events->first; e != NULL; e = e->next) {
    write_line(&text, "severity", severities[e->event.severity]);
    write_line(&text, "code", e->event.code);
    write_line(&text, "where", e->event.where);
    write_line(&text, "message", e->event.message);
    write_line(&text, "mend", e->event.mend);
  }
  spec_looks_write(&text, looks);
  int rc = spec_buf_failed(&text) ? spec_fail_memory(err) : spec_fs_mkdirs(dir, err);
  if (rc == 0)
    rc = spec_fs_write(path, spec_buf_text(&text), text.len, false, NULL, err);
  spec_buf_dispose(&text);
  return rc;
}

/* --- knowing again --- */

typedef struct reader {
  spec_arena *arena;
  char *key;
  spec_kept_events *events;
  spec_event event; /* the one that is being read */
  const spec_looks *looks;
  bool same;
  spec_err *err;
} reader;

/* One line of the head; false: it is damaged. */
static bool read_line(reader *r, char *line) {
  char *value = strchr(line, ' ');
  if (value == NULL)
    return false;
  *value++ = '\0';
  if (!spec_looks_read_path(value))
    return false;
  if (strcmp(line, "key") == 0 && strlen(value) == 32)
    memcpy(r->key, value, 33);
  else if (strcmp(line, "severity") == 0)
    r->event = (spec_event){*value == 'e'   ? SPEC_ERROR
                            : *value == 'w' ? SPEC_WARNING
                                            : SPEC_NOTE,
                            "", "", "", ""};
  else if (strcmp(line, "code") == 0)
    r->event.code = value;
  else if (strcmp(line, "where") == 0)
    r->event.where = value;
  else if (strcmp(line, "message") == 0)
    r->event.message = value;
  else if (strcmp(line, "mend") == 0) {
    r->event.mend = value;
    spec_keep_event(r->events, &r->event);
  } else
    return false;
  return true;
}

static int look_again(void *user, spec_look_kind kind, const char *path, const spec_look *then) {
  reader *r = user;
  spec_look now;
  bool touched;
  int rc =
      spec_fs_look_again(&now, &touched, (int)kind, path, then, spec_looks_time(r->looks), r->err);
  r->same = rc == 0 && spec_look_is_same(kind, then, &now);
  return rc != 0 ? rc : !r->same;
}

/* The head is read up to the looks; NULL: it is damaged. */
static const char *read_head(reader *r, const char *text, size_t len) {
  size_t size = sizeof version;
  if (len < size || memcmp(text, version, size - 1) != 0 || text[size - 1] != '\n')
    return NULL;
  for (const char *line = text + size; line < text + len;) {
    const char *newline = memchr(line, '\n', (size_t)(text + len - line));
    if (strncmp(line, "looks ", 6) == 0)
      return line;
    char *copy =
        newline == NULL ? NULL : spec_arena_strndup(r->arena, line, (size_t)(newline - line));
    if (copy == NULL || !read_line(r, copy))
      return NULL;
    line = newline + 1;
  }
  return NULL;
}

/* Whether all looks see what they saw. */
static int is_same(reader *r, const char *text, size_t len, const char *path, spec_err *err) {
  spec_looks *looks;
  int rc = spec_looks_new(&looks, r->arena, err);
  if (rc != 0)
    return rc;
  rc = spec_looks_parse(looks, text, len, path, err);
  r->looks = looks;
  if (rc == 0)
    rc = spec_looks_each(looks, look_again, r);
  spec_looks_free(looks);
  if (rc == SPEC_ENOMEM)
    return rc;
  r->same = r->same && rc == 0;
  return SPEC_OK;
}

void spec_recall_tell(const spec_kept_events *events, const spec_options *options) {
  for (const spec_kept_event *e = events->first; e != NULL; e = e->next)
    if (options->on_event != NULL)
      options->on_event(options->user, &e->event);
}

int spec_recall(bool *found, char key[33], spec_kept_events *events, const char *path,
                spec_err *err) {
  const char *text;
  size_t len;
  reader r = {.arena = events->arena, .key = key, .events = events, .err = err};
  *found = false;
  int rc = spec_fs_read(r.arena, &text, &len, path, NULL);
  if (rc == SPEC_ENOMEM)
    return spec_fail_memory(err);
  const char *looks = rc == 0 ? read_head(&r, text, len) : NULL;
  if (looks == NULL)
    return events->failed ? spec_fail_memory(err) : SPEC_OK;
  rc = is_same(&r, looks, len - (size_t)(looks - text), path, err);
  *found = rc == 0 && r.same;
  return rc;
}
