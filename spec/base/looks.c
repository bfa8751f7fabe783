/* looks.c: a map of looks, and its text. */
#include "base/looks.h"

#include "base/err.h"
#include "base/map.h"
#include "base/path.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char kinds[] = {SPEC_LOOK_TYPE,   SPEC_LOOK_LINK, SPEC_LOOK_SIZE,
                             SPEC_LOOK_INSIDE, SPEC_LOOK_REAL, SPEC_LOOK_PAST};
enum { KINDS = sizeof kinds };

struct spec_looks {
  spec_arena *arena;
  spec_map *maps[KINDS]; /* by kind: path -> spec_look */
  int64_t time;
  bool failed;
};

static spec_map *map_of(const spec_looks *looks, spec_look_kind kind) {
  const char *at = memchr(kinds, (int)kind, KINDS);
  return at == NULL ? NULL : looks->maps[at - kinds];
}

int spec_looks_new(spec_looks **out, spec_arena *arena, spec_err *err) {
  spec_looks *looks = spec_arena_alloc(arena, sizeof *looks);
  if (looks == NULL)
    return spec_fail_memory(err);
  looks->arena = arena;
  looks->time = spec_fs_now();
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < KINDS; i++)
    rc = spec_map_new(&looks->maps[i], arena, err);
  if (rc == 0)
    *out = looks;
  else
    spec_looks_free(looks);
  return rc;
}

void spec_looks_free(spec_looks *looks) {
  for (size_t i = 0; looks != NULL && i < KINDS; i++)
    spec_map_free(looks->maps[i]);
}

void spec_looks_add(spec_looks *looks, spec_look_kind kind, const char *path,
                    const spec_look *look) {
  spec_map *map = map_of(looks, kind);
  if (spec_map_get(map, path, NULL) != NULL)
    return;
  spec_look *copy = spec_arena_alloc(looks->arena, sizeof *copy);
  if (copy != NULL)
    *copy = *look;
  looks->failed |= copy == NULL || spec_map_set(map, path, copy, NULL) != 0;
}

bool spec_looks_failed(const spec_looks *looks) {
  return looks->failed;
}

int64_t spec_looks_time(const spec_looks *looks) {
  return looks->time;
}

void spec_looks_set_time(spec_looks *looks, int64_t time) {
  looks->time = time;
}

const spec_look *spec_looks_get(const spec_looks *looks, spec_look_kind kind, const char *path) {
  return spec_map_get(map_of(looks, kind), path, NULL);
}

typedef struct each {
  spec_looks_fn *fn;
  void *user;
  spec_look_kind kind;
} each;

static int call(void *user, const char *path, void *look) {
  const each *e = user;
  return e->fn(e->user, e->kind, path, look);
}

int spec_looks_each(const spec_looks *looks, spec_looks_fn *fn, void *user) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < KINDS; i++) {
    each e = {fn, user, (spec_look_kind)kinds[i]};
    rc = spec_map_each(looks->maps[i], call, &e);
  }
  return rc;
}

bool spec_look_is_same(spec_look_kind kind, const spec_look *a, const spec_look *b) {
  return a->type == b->type && a->digest == b->digest &&
         (kind != SPEC_LOOK_SIZE || a->size == b->size);
}

bool spec_look_is_untouched(const spec_look *then, const spec_look *now, int64_t time) {
  const int64_t coarse = 2000000000;
  return then->changed != 0 && then->changed < time - coarse && then->type == now->type &&
         then->device == now->device && then->inode == now->inode && then->size == now->size &&
         then->modified == now->modified && then->changed == now->changed;
}

/* --- text --- */

/* "looks <time>", then "<kind> <type> <digest> <device> <inode> <size> <modified> <changed>
 * <path>". A '%' or newline of a path is written as %25 or %0A. */
static const char types[] = "-fdlo"; /* by spec_ftype */

void spec_looks_write_path(spec_buf *out, const char *path) {
  for (size_t len; *path != '\0'; path += len) {
    len = strcspn(path, "%\n");
    spec_buf_add(out, path, len);
    if (path[len] != '\0')
      spec_buf_str(out, path[len++] == '%' ? "%25" : "%0A");
  }
}

static int write_look(void *user, spec_look_kind kind, const char *path, const spec_look *l) {
  spec_buf *out = user;
  spec_buf_printf(out,
                  "%c %c %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " ",
                  (char)kind, types[l->type], l->digest, l->device, l->inode, l->size,
                  (uint64_t)l->modified, (uint64_t)l->changed);
  spec_looks_write_path(out, path);
  spec_buf_char(out, '\n');
  return 0;
}

void spec_looks_write(spec_buf *out, const spec_looks *looks) {
  spec_buf_printf(out, "looks %" PRIx64 "\n", (uint64_t)looks->time);
  (void)spec_looks_each(looks, write_look, out);
}

static int bad_line(const char *line, size_t len, const char *file, spec_err *err) {
  spec_fail(err, SPEC_EPARSE, "'%.*s' is no look", len > 60 ? 60 : (int)len, line);
  spec_fail_where(err, "%s", file);
  spec_fail_mend(err, "configure the build again");
  return SPEC_EPARSE;
}

/* A hexadecimal number and the space behind it. */
static bool read_number(uint64_t *out, const char **at) {
  char *end;
  if (strspn(*at, "0123456789abcdef") == 0)
    return false;
  errno = 0;
  *out = strtoull(*at, &end, 16);
  bool good = errno == 0 && *end == ' ';
  *at = end + 1;
  return good;
}

bool spec_looks_read_path(char *path) {
  char *to = path;
  for (const char *from = path; *from != '\0';) {
    if (*from != '%') {
      *to++ = *from++;
    } else if (strncmp(from, "%25", 3) == 0 || strncmp(from, "%0A", 3) == 0) {
      *to++ = from[1] == '2' ? '%' : '\n';
      from += 3;
    } else {
      return false;
    }
  }
  *to = '\0';
  return true;
}

static bool read_look(spec_looks *looks, char *line) {
  if (strlen(line) < 5 || line[1] != ' ' || line[3] != ' ')
    return false;
  const char *type = strchr(types, line[2]);
  if (memchr(kinds, line[0], KINDS) == NULL || type == NULL)
    return false;
  spec_look l = {.type = (spec_ftype)(type - types)};
  uint64_t modified, changed;
  const char *at = line + 4;
  if (!read_number(&l.digest, &at) || !read_number(&l.device, &at) || !read_number(&l.inode, &at) ||
      !read_number(&l.size, &at) || !read_number(&modified, &at) || !read_number(&changed, &at))
    return false;
  l.modified = (int64_t)modified;
  l.changed = (int64_t)changed;
  char *path = line + (at - line);
  if (!spec_looks_read_path(path) || !spec_path_is_absolute(path))
    return false;
  spec_looks_add(looks, (spec_look_kind)line[0], path, &l);
  return true;
}

/* "looks <time>" */
static bool read_head(spec_looks *looks, const char *line) {
  static const char word[] = "looks ";
  uint64_t time = 0;
  const char *head = spec_arena_printf(looks->arena, "%s ", line); /* as read_number() wants it */
  looks->failed |= head == NULL;
  if (head == NULL || strncmp(head, word, sizeof word - 1) != 0)
    return false;
  head += sizeof word - 1;
  if (!read_number(&time, &head))
    return false;
  looks->time = (int64_t)time;
  return true;
}

int spec_looks_parse(spec_looks *looks, const char *text, size_t len, const char *file,
                     spec_err *err) {
  const char *end = text + len;
  for (const char *line = text; line < end;) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    size_t size = (size_t)((newline == NULL ? end : newline) - line);
    char *copy = spec_arena_strndup(looks->arena, line, size);
    if (copy == NULL)
      return spec_fail_memory(err);
    bool good = line == text ? read_head(looks, copy)
                             : newline != NULL && strlen(copy) == size && read_look(looks, copy);
    if (looks->failed)
      return spec_fail_memory(err);
    if (!good)
      return bad_line(line, size, file, err);
    line += size + 1;
  }
  return SPEC_OK;
}
