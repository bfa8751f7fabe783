/* path.c: lexical work on paths. */
#include "base/path.h"

#include <stdint.h>
#include <string.h>

char *spec_path_join(spec_arena *arena, const char *dir, const char *name) {
  size_t dir_len = strlen(dir);
  while (dir_len > 1 && dir[dir_len - 1] == '/')
    dir_len--;
  if (dir_len == 0)
    return spec_arena_strdup(arena, name);
  while (name[0] == '/')
    name++;
  size_t name_len = strlen(name);
  size_t slash = name_len > 0 && dir[dir_len - 1] != '/' ? 1 : 0;
  char *out = spec_arena_alloc(arena, dir_len + slash + name_len + 1);
  if (out == NULL)
    return NULL;
  memcpy(out, dir, dir_len);
  if (slash > 0)
    out[dir_len] = '/';
  memcpy(out + dir_len + slash, name, name_len);
  return out;
}

/* A normal path in the making. */
typedef struct normal_path {
  char *text;
  size_t len;
  size_t floor; /* length of what ".." cannot take away: "/", or a leading "../.." */
  bool absolute;
} normal_path;

/* Takes the last component away; false when there is none that can go. */
static bool step_up(normal_path *path) {
  if (path->len == path->floor)
    return false;
  while (path->len > path->floor && path->text[path->len - 1] != '/')
    path->len--;
  if (path->len > path->floor)
    path->len--;
  return true;
}

static void step_into(normal_path *path, const char *part, size_t len) {
  bool up = len == 2 && part[0] == '.' && part[1] == '.';
  if (up && (step_up(path) || path->absolute))
    return;
  if (path->len > 0 && path->text[path->len - 1] != '/')
    path->text[path->len++] = '/';
  memcpy(path->text + path->len, part, len);
  path->len += len;
  if (up)
    path->floor = path->len;
}

char *spec_path_normal(spec_arena *arena, const char *path) {
  normal_path out = {.text = spec_arena_alloc(arena, strlen(path) + 2)};
  if (out.text == NULL)
    return NULL;
  if (path[0] == '/') {
    out.absolute = true;
    out.text[0] = '/';
    out.len = out.floor = 1;
  }
  while (*path != '\0') {
    size_t len = strcspn(path, "/");
    if (len > 0 && !(len == 1 && path[0] == '.'))
      step_into(&out, path, len);
    path += len;
    path += strspn(path, "/");
  }
  if (out.len == 0)
    out.text[out.len++] = '.';
  out.text[out.len] = '\0';
  return out.text;
}

char *spec_path_resolve(spec_arena *arena, const char *dir, const char *path) {
  if (spec_path_is_absolute(path))
    return spec_path_normal(arena, path);
  char *joined = spec_path_join(arena, dir, path);
  return joined != NULL ? spec_path_normal(arena, joined) : NULL;
}

char *spec_path_dirname(spec_arena *arena, const char *path) {
  size_t len = (size_t)(spec_path_basename(path) - path);
  while (len > 1 && path[len - 1] == '/')
    len--;
  return spec_arena_strndup(arena, path, len);
}

const char *spec_path_basename(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

const char *spec_path_ext(const char *path) {
  const char *name = spec_path_basename(path);
  name += strspn(name, ".");
  const char *dot = strrchr(name, '.');
  return dot != NULL ? dot : name + strlen(name);
}

/* Whether a normal relative path starts with "..". */
static bool leads_up(const char *path) {
  return path[0] == '.' && path[1] == '.' && (path[2] == '/' || path[2] == '\0');
}

const char *spec_path_below(const char *path, const char *root) {
  size_t len = strcmp(root, ".") == 0 ? 0 : strlen(root);
  if (strcmp(path, root) == 0)
    return path + strlen(path);
  if (strncmp(path, root, len) != 0)
    return NULL;
  const char *rest = path + len;
  if (len > 0 && root[len - 1] != '/') {
    if (*rest != '/')
      return NULL;
    rest++;
  }
  bool outside = leads_up(rest) || (len == 0 && spec_path_is_absolute(path));
  return outside ? NULL : rest;
}

bool spec_path_is_absolute(const char *path) {
  return path[0] == '/';
}

static char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool spec_path_case_equal(const char *a, const char *b) {
  while (*a != '\0' && ascii_lower(*a) == ascii_lower(*b)) {
    a++;
    b++;
  }
  return *a == *b;
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* One row of the table of edit distances: row[j] is the distance of a's first i-1 bytes to b's
 * first j on entry, of a's first i on return. Only j within limit of i can lie below limit; the
 * rest count as limit. Returns the least of the row. */
static size_t next_row(size_t *row, char a_byte, size_t i, const char *b, size_t b_len,
                       size_t limit) {
  size_t first = i > limit ? i - limit : 1;
  size_t last = least(b_len, i + limit);
  size_t diagonal = row[first - 1];
  row[first - 1] = least(i, limit);
  size_t best = row[first - 1];
  for (size_t j = first; j <= last; j++) {
    size_t above = row[j];
    size_t replaced = diagonal + (a_byte != b[j - 1]);
    row[j] = least(least(replaced, limit), least(above, row[j - 1]) + 1);
    best = least(best, row[j]);
    diagonal = above;
  }
  return best;
}

size_t spec_path_distance(const char *a, const char *b, size_t limit) {
  while (*a != '\0' && *a == *b) {
    a++;
    b++;
  }
  size_t a_len = strlen(a), b_len = strlen(b);
  while (a_len > 0 && b_len > 0 && a[a_len - 1] == b[b_len - 1]) {
    a_len--;
    b_len--;
  }
  size_t gap = a_len > b_len ? a_len - b_len : b_len - a_len;
  size_t row[SPEC_PATH_DISTANCE_MAX + 1];
  limit = least(limit, a_len > b_len ? a_len : b_len);
  if (gap >= limit || b_len > SPEC_PATH_DISTANCE_MAX)
    return limit;
  for (size_t j = 0; j <= b_len; j++)
    row[j] = least(j, limit);
  for (size_t i = 1; i <= a_len; i++)
    if (next_row(row, a[i - 1], i, b, b_len, limit) >= limit)
      return limit;
  return row[b_len];
}

/* Length of the valid UTF-8 sequence at text, of left bytes (at least 1); 0 when there is none. */
static size_t utf8_sequence(const unsigned char *text, size_t left) {
  unsigned char lead = text[0];
  if (lead < 0x80)
    return 1;
  size_t len = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || len > left)
    return 0;
  /* The second byte's range keeps out overlong forms, surrogates and what lies past U+10FFFF. */
  unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (text[1] < low || text[1] > high)
    return 0;
  for (size_t i = 2; i < len; i++)
    if ((text[i] & 0xC0) != 0x80)
      return 0;
  return len;
}

bool spec_text_is_utf8(const char *text, size_t len) {
  const unsigned char *bytes = (const unsigned char *)text;
  for (size_t at = 0, step; at < len; at += step) {
    step = utf8_sequence(bytes + at, len - at);
    if (step == 0)
      return false;
  }
  return true;
}
