/* Zip archives: every member is read or refused for a reason, and what can be read can be copied
 * into an archive in which it reads the same. */
#define _XOPEN_SOURCE 700 /* mkdtemp() */
#include "fuzz.h"

#include "base/err.h"
#include "package/archive.h"

#include <string.h>

static char folder[] = "/tmp/spec-fuzz-XXXXXX", from[64], to[64];

/* A folder of its own for each process. */
static void make_folder(void) {
  CHECK(mkdtemp(folder) != NULL);
  (void)snprintf(from, sizeof from, "%s/from.zip", folder);
  (void)snprintf(to, sizeof to, "%s/to.zip", folder);
}

static void remove_folder(void) {
  (void)spec_fs_remove_tree(folder, NULL);
}

/* Copies the members that can be read; false: one is not where it should be. */
static bool copy_all(spec_arena *arena, const spec_archive *archive, const bool *readable) {
  spec_archive_writer *writer;
  spec_err err;
  CHECK(spec_archive_new(&writer, arena, to, &err) == SPEC_OK);
  for (size_t i = 0; i < archive->count; i++)
    if (readable[i])
      CHECK(spec_archive_copy(writer, archive->entries[i].name, archive, &archive->entries[i],
                              &err) == SPEC_OK);
  return spec_archive_publish(writer, NULL, &err) == SPEC_OK;
}

static void check_copy(spec_arena *arena, const spec_archive *archive, const bool *readable) {
  spec_archive copy;
  spec_err err;
  CHECK(spec_archive_open(&copy, arena, to, &err) == SPEC_OK);
  for (size_t i = 0, k = 0; i < archive->count; i++) {
    const char *old, *new;
    if (!readable[i])
      continue;
    const spec_archive_entry *a = &archive->entries[i], *b = &copy.entries[k++];
    CHECK(strcmp(a->name, b->name) == 0 && a->size == b->size && a->date == b->date);
    CHECK(spec_archive_read(archive, arena, &old, a, &err) == SPEC_OK);
    CHECK(spec_archive_read(&copy, arena, &new, b, &err) == SPEC_OK);
    CHECK(memcmp(old, new, (size_t)a->size) == 0);
  }
  spec_archive_close(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spec_arena *arena;
  spec_archive archive;
  spec_err err = {0};
  if (from[0] == '\0') {
    make_folder();
    (void)atexit(remove_folder);
  }
  CHECK(spec_arena_new(&arena, NULL) == SPEC_OK);
  CHECK(spec_fs_write(from, (const char *)data, size, false, NULL, &err) == SPEC_OK);
  if (spec_archive_open(&archive, arena, from, &err) < 0) {
    CHECK(err.code == SPEC_EPARSE && strncmp(err.where, from, strlen(from)) == 0);
    spec_arena_free(arena);
    return 0;
  }
  bool *readable = spec_arena_array(arena, archive.count, sizeof *readable);
  for (size_t i = 0; i < archive.count; i++) {
    const char *bytes;
    int rc = spec_archive_read(&archive, arena, &bytes, &archive.entries[i], &err);
    CHECK(rc == SPEC_OK || (rc == SPEC_EPARSE && err.what[0] != '\0'));
    readable[i] = rc == SPEC_OK;
  }
  CHECK(copy_all(arena, &archive, readable));
  check_copy(arena, &archive, readable);
  spec_archive_close(&archive);
  spec_arena_free(arena);
  return 0;
}
