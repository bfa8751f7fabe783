/* wheel.c: opening a wheel, and what is checked then. */
#include "package/wheel.h"

#include "base/err.h"
#include "base/path.h"
#include "package/headers.h"

#include <string.h>

static const char info_suffix[] = ".dist-info";

/* Says what is broken, at a member or NULL. */
static int refuse(const spec_wheel *wheel, const char *member, const char *problem, spec_err *err) {
  (void)spec_fail(err, SPEC_EPARSE, "the wheel is broken: %s", problem);
  (void)spec_fail_where(err, "%s%s%s", wheel->path, member != NULL ? ":" : "",
                        member != NULL ? member : "");
  (void)spec_fail_mend(err, "get the wheel again from where it comes");
  return SPEC_EPARSE;
}

/* --- members ------------------------------------------------------------------------------- */

/* What is wrong with a member's name, or NULL. */
static const char *problem_of_name(const char *name) {
  if (*name == '\0')
    return "a member has no name";
  for (const char *c = name; *c != '\0'; c++)
    if ((unsigned char)*c < 0x20 || *c == 0x7F || *c == '\\')
      return "the name of a member holds a backslash or a control character";
  if (!spec_text_is_utf8(name, strlen(name)))
    return "the name of a member is not UTF-8";
  if (*name == '/' || name[1] == ':')
    return "the name of a member is an absolute path";
  while (*name != '\0') {
    size_t len = strcspn(name, "/");
    if (len == 0 || (len <= 2 && strncmp(name, "..", len) == 0))
      return "the name of a member has an empty part, '.' or '..'";
    name += len + (name[len] == '/');
  }
  return NULL;
}

static int read_member(spec_wheel *wheel, size_t i, spec_err *err) {
  spec_wheel_member *member = &wheel->members[i];
  const spec_archive_entry *entry = &wheel->archive.entries[i];
  const char *problem = problem_of_name(entry->name);
  bool twice;
  (void)spec_map_get(wheel->by_name, entry->name, &twice);
  if (problem == NULL && twice)
    problem = "two members have one name";
  if (problem != NULL)
    return refuse(wheel, entry->name, problem, err);
  *member = (spec_wheel_member){entry, entry->name[strlen(entry->name) - 1] == '/', NULL};
  return spec_map_set(wheel->by_name, entry->name, member, err);
}

static int read_members(spec_wheel *wheel, spec_err *err) {
  wheel->count = wheel->archive.count;
  wheel->members = spec_arena_array(wheel->arena, wheel->count, sizeof *wheel->members);
  int rc = wheel->members == NULL ? spec_fail_memory(err) : SPEC_OK;
  if (rc == SPEC_OK)
    rc = spec_map_new(&wheel->by_name, wheel->arena, err);
  for (size_t i = 0; i < wheel->count && rc == SPEC_OK; i++)
    rc = read_member(wheel, i, err);
  return rc;
}

const spec_wheel_member *spec_wheel_find(const spec_wheel *wheel, const char *name) {
  return spec_map_get(wheel->by_name, name, NULL);
}

const spec_wheel_member *spec_wheel_info(const spec_wheel *wheel, const char *name) {
  for (size_t i = 0; i < wheel->count; i++) {
    const char *below = spec_path_below(wheel->members[i].entry->name, wheel->dist_info);
    if (below != NULL && strcmp(below, name) == 0)
      return &wheel->members[i];
  }
  return NULL;
}

int spec_wheel_read(const spec_wheel *wheel, spec_arena *arena, const char **data, size_t *len,
                    const spec_wheel_member *member, spec_err *err) {
  const char *bytes;
  size_t size = (size_t)member->entry->size;
  int rc = spec_archive_read(&wheel->archive, arena, &bytes, member->entry, err);
  if (rc == SPEC_OK && member->row != NULL && !spec_wheel_row_agrees(member->row, bytes, size))
    rc = refuse(wheel, member->entry->name, "a member is not what RECORD says of it", err);
  if (rc != SPEC_OK)
    return rc;
  *data = bytes;
  *len = size;
  return SPEC_OK;
}

/* --- the dist-info folder -------------------------------------------------------------------- */

/* Finds the only folder at the top whose name ends in ".dist-info". */
static int find_info(spec_wheel *wheel, spec_err *err) {
  for (size_t i = 0; i < wheel->count; i++) {
    const char *name = wheel->members[i].entry->name;
    size_t len = strcspn(name, "/"), tail = sizeof info_suffix - 1;
    if (name[len] != '/' || len <= tail || strncmp(name + len - tail, info_suffix, tail) != 0)
      continue;
    bool known = wheel->dist_info != NULL;
    if (known && strncmp(name, wheel->dist_info, len) == 0 && wheel->dist_info[len] == '\0')
      continue;
    if (known)
      return refuse(wheel, name, "it has two dist-info folders", err);
    wheel->dist_info = spec_arena_strndup(wheel->arena, name, len);
    if (wheel->dist_info == NULL)
      return spec_fail_memory(err);
  }
  return wheel->dist_info != NULL ? SPEC_OK
                                  : refuse(wheel, NULL, "it has no dist-info folder", err);
}

/* A file of the dist-info folder. */
static int read_info(const spec_wheel *wheel, const char **data, size_t *len, const char *name,
                     spec_err *err) {
  const spec_wheel_member *member = spec_wheel_info(wheel, name);
  if (member != NULL)
    return spec_wheel_read(wheel, wheel->arena, data, len, member, err);
  const char *path = spec_path_join(wheel->arena, wheel->dist_info, name);
  return path == NULL ? spec_fail_memory(err) : refuse(wheel, path, "this file is missing", err);
}

/* The value of a header that must be there once. */
static int read_header(const spec_wheel *wheel, const char **out, const char *file,
                       const char *name, spec_err *err) {
  const char *text = "";
  size_t len = 0;
  spec_header header;
  int rc = read_info(wheel, &text, &len, file, err);
  if (rc != SPEC_OK)
    return rc;
  if (spec_headers_find(&header, text, len, name) != 1 || header.len == 0) {
    const char *problem = spec_arena_printf(wheel->arena, "it does not have one '%s:'", name);
    return problem == NULL ? spec_fail_memory(err) : refuse(wheel, file, problem, err);
  }
  *out = spec_arena_strndup(wheel->arena, text + header.at, header.len);
  return *out == NULL ? spec_fail_memory(err) : SPEC_OK;
}

/* The names of the file and of its dist-info folder, and METADATA, must mean one release. */
static int check_names(const spec_wheel *wheel, spec_err *err) {
  size_t len = strcspn(wheel->dist_info, "-");
  size_t end = strlen(wheel->dist_info) - (sizeof info_suffix - 1);
  const char *project = spec_arena_strndup(wheel->arena, wheel->dist_info, len);
  const char *version =
      len >= end ? "" : spec_arena_strndup(wheel->arena, wheel->dist_info + len + 1, end - len - 1);
  if (project == NULL || version == NULL)
    return spec_fail_memory(err);
  bool same = spec_project_equal(wheel->name.project, wheel->project) &&
              spec_project_equal(project, wheel->project) &&
              spec_version_equal(wheel->name.version, wheel->version) &&
              spec_version_equal(version, wheel->version);
  if (same)
    return SPEC_OK;
  (void)spec_fail(
      err, SPEC_EPARSE, "the wheel is named %s %s, its folder is %s, and its METADATA says %s %s",
      wheel->name.project, wheel->name.version, wheel->dist_info, wheel->project, wheel->version);
  (void)spec_fail_where(err, "%s", wheel->path);
  (void)spec_fail_mend(err, "give the file the name that it was published under");
  return SPEC_EPARSE;
}

static int refuse_unknown(const spec_wheel *wheel, const char *problem, const char *mend,
                          spec_err *err) {
  (void)spec_fail(err, SPEC_EINVAL, "%s", problem);
  (void)spec_fail_where(err, "%s", wheel->path);
  (void)spec_fail_mend(err, "%s", mend);
  return SPEC_EINVAL;
}

static int check_signature(const spec_wheel *wheel, spec_err *err) {
  if (spec_wheel_info(wheel, "RECORD.jws") == NULL && spec_wheel_info(wheel, "RECORD.p7s") == NULL)
    return SPEC_OK;
  return refuse_unknown(wheel, "the wheel is signed, and a changed one would not be",
                        "take the wheel without RECORD.jws and RECORD.p7s, and sign the new one",
                        err);
}

static int check_format(const spec_wheel *wheel, spec_err *err) {
  const char *version;
  int rc = read_header(wheel, &version, "WHEEL", "Wheel-Version", err);
  if (rc != SPEC_OK || strncmp(version, "1.", 2) == 0)
    return rc;
  return refuse_unknown(wheel, "the wheel has a version of the format that is not known here",
                        "wheels of version 1 can be read; look for a newer triton-spec", err);
}

/* --- RECORD -------------------------------------------------------------------------------- */

/* Gives each member its row. */
static int assign_rows(spec_wheel *wheel, spec_err *err) {
  for (size_t i = 0; i < wheel->record.count; i++) {
    const spec_wheel_row *row = &wheel->record.rows[i];
    spec_wheel_member *member = spec_map_get(wheel->by_name, row->path, NULL);
    if (member == NULL)
      return refuse(wheel, row->path, "RECORD lists a file that is not there", err);
    if (member->row != NULL)
      return refuse(wheel, row->path, "RECORD lists a file twice", err);
    member->row = row;
  }
  for (size_t i = 0; i < wheel->count; i++)
    if (wheel->members[i].row == NULL && !wheel->members[i].is_folder)
      return refuse(wheel, wheel->members[i].entry->name, "RECORD does not list this file", err);
  return SPEC_OK;
}

static int read_record(spec_wheel *wheel, spec_err *err) {
  const char *text, *where;
  size_t len;
  int rc = read_info(wheel, &text, &len, "RECORD", err);
  if (rc != SPEC_OK)
    return rc;
  where = spec_arena_printf(wheel->arena, "%s:%s/RECORD", wheel->path, wheel->dist_info);
  rc = where == NULL ? spec_fail_memory(err)
                     : spec_wheel_record_parse(&wheel->record, wheel->arena, text, len, where, err);
  return rc != SPEC_OK ? rc : assign_rows(wheel, err);
}

/* --- all ----------------------------------------------------------------------------------- */

static int check_all(spec_wheel *wheel, spec_err *err) {
  int rc = read_members(wheel, err);
  if (rc == SPEC_OK)
    rc = find_info(wheel, err);
  if (rc == SPEC_OK)
    rc = check_signature(wheel, err); /* first, since it has no row in RECORD */
  if (rc == SPEC_OK)
    rc = read_record(wheel, err);
  if (rc == SPEC_OK)
    rc = check_format(wheel, err);
  if (rc == SPEC_OK)
    rc = read_header(wheel, &wheel->project, "METADATA", "Name", err);
  if (rc == SPEC_OK)
    rc = read_header(wheel, &wheel->version, "METADATA", "Version", err);
  return rc != SPEC_OK ? rc : check_names(wheel, err);
}

int spec_wheel_open(spec_wheel *out, spec_arena *arena, const char *path, spec_err *err) {
  spec_wheel wheel = {.path = path, .arena = arena};
  int rc = spec_wheel_name_parse(&wheel.name, arena, path, err);
  if (rc == SPEC_OK)
    rc = spec_archive_open(&wheel.archive, arena, path, err);
  if (rc != SPEC_OK)
    return rc;
  rc = check_all(&wheel, err);
  if (rc != SPEC_OK)
    spec_wheel_close(&wheel);
  else
    *out = wheel;
  return rc;
}

void spec_wheel_close(spec_wheel *wheel) {
  spec_map_free(wheel->by_name);
  spec_archive_close(&wheel->archive);
  wheel->by_name = NULL;
}
