/* Paths: what must hold for any two texts. The input is two texts with a newline between. */
#include "fuzz.h"

#include "base/path.h"

#include <string.h>

static bool has_part(const char *path, const char *part) {
  size_t len = strlen(part);
  for (const char *p = path; *p != '\0'; p += strspn(p, "/")) {
    size_t here = strcspn(p, "/");
    if (here == len && memcmp(p, part, len) == 0)
      return true;
    p += here;
  }
  return false;
}

static void check_normal(spec_arena *arena, const char *path) {
  const char *normal = spec_path_normal(arena, path);
  CHECK(strcmp(spec_path_normal(arena, normal), normal) == 0);
  CHECK(strlen(normal) <= strlen(path) || path[0] == '\0');
  CHECK(strstr(normal, "//") == NULL);
  CHECK(strcmp(normal, ".") == 0 || !has_part(normal, "."));
  CHECK(spec_path_is_absolute(normal) == spec_path_is_absolute(path));
  CHECK(!spec_path_is_absolute(normal) || !has_part(normal, ".."));
  const char *name = spec_path_basename(normal), *ext = spec_path_ext(normal);
  CHECK(strcmp(spec_path_join(arena, spec_path_dirname(arena, normal), name), normal) == 0);
  CHECK(ext >= name && ext <= name + strlen(name));
  CHECK(ext[0] == '\0' || (ext[0] == '.' && ext > name && strchr(ext + 1, '.') == NULL));
}

static void check_below(spec_arena *arena, const char *dir, const char *path) {
  const char *root = spec_path_normal(arena, dir);
  const char *full = spec_path_resolve(arena, root, path);
  const char *rest = spec_path_below(full, root);
  CHECK(rest == NULL || (rest >= full && rest <= full + strlen(full)));
  CHECK(rest == NULL || strcmp(spec_path_resolve(arena, root, rest), full) == 0);
  CHECK(rest == NULL || !has_part(rest, ".."));
  /* nothing without ".." leaves the folder that it is relative to */
  CHECK(rest != NULL || spec_path_is_absolute(path) || has_part(path, ".."));
  CHECK(rest == NULL || spec_path_is_absolute(full) == spec_path_is_absolute(root));
}

static void check_distance(const char *a, const char *b) {
  size_t a_len = strlen(a), b_len = strlen(b);
  if (a_len > 200 || b_len > 200)
    return; /* the time grows with their product */
  size_t distance = spec_path_distance(a, b, SIZE_MAX);
  CHECK(distance == spec_path_distance(b, a, SIZE_MAX));
  CHECK((distance == 0) == (strcmp(a, b) == 0));
  CHECK(distance <= (a_len > b_len ? a_len : b_len));
  CHECK(spec_path_distance(a, b, 3) == (distance < 3 ? distance : 3));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spec_arena *arena;
  CHECK(spec_arena_new(&arena, NULL) == SPEC_OK);
  char *a = spec_arena_strndup(arena, (const char *)data, size);
  a[strcspn(a, "\n")] = '\0';
  size_t used = strlen(a) < size ? strlen(a) + 1 : size;
  const char *b = spec_arena_strndup(arena, (const char *)data + used, size - used);
  check_normal(arena, a);
  check_normal(arena, b);
  check_below(arena, a, b);
  check_distance(a, b);
  CHECK(!spec_text_is_utf8(a, strlen(a)) || !spec_text_is_utf8(b, strlen(b)) ||
        spec_text_is_utf8(spec_path_join(arena, a, b), strlen(spec_path_join(arena, a, b))));
  spec_arena_free(arena);
  return 0;
}
