/* replay.c: runs a fuzzer once on every file of its corpus: fuzz_<name> <folder>... */
#include "fuzz.h"

#include "base/fs.h"
#include "base/path.h"

/* Runs all files of the folder; their number, or -1 with err. */
static long replay(spec_arena *arena, const char *folder, spec_err *err) {
  spec_dirent *entries;
  size_t count;
  if (spec_fs_list(arena, &entries, &count, folder, err) < 0)
    return -1;
  for (size_t i = 0; i < count; i++) {
    const char *path = spec_path_join(arena, folder, entries[i].name);
    const char *data;
    size_t len;
    if (path == NULL || spec_fs_read(arena, &data, &len, path, err) < 0)
      return -1;
    (void)fprintf(stderr, "%s\n", path); /* the last one named is the one that failed */
    (void)LLVMFuzzerTestOneInput((const uint8_t *)data, len);
  }
  return (long)count;
}

int main(int argc, char **argv) {
  long total = 0;
  for (int i = 1; i < argc; i++) {
    spec_arena *arena;
    spec_err err = {0};
    long count = spec_arena_new(&arena, &err) < 0 ? -1 : replay(arena, argv[i], &err);
    if (count < 0) {
      (void)fprintf(stderr, "%s\n", err.what);
      return 2;
    }
    spec_arena_free(arena);
    total += count;
  }
  (void)fprintf(stderr, "%ld inputs\n", total);
  return total > 0 ? 0 : 2; /* an empty corpus proves nothing */
}
