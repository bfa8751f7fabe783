/* compile_commands.c */
#include "compile_commands.h"

#include "base/digest.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/map.h"
#include "base/path.h"
#include "command.h"
#include "core/results.h"
#include "scan.h"
#include <string.h>

typedef struct database {
  spec_arena *arena;
  const char *build, *dir; /* <build> and <build>/spec */
  const char *stage, *trunk;
  json_t *input, *manifest;
  json_t *output;
  spec_map *units; /* "id" and "id\ndigest" of a compiled source -> spec_command_line */
} database;

/* A text file of the build; NULL when there is none. */
static int read_if_there(database *db, const char **text, size_t *len, const char *path,
                         spec_err *err) {
  spec_ftype type;
  int rc = path == NULL ? spec_fail_memory(err) : spec_fs_type(&type, path, err);
  *text = NULL;
  *len = 0;
  return rc != 0 || type != SPEC_FT_FILE ? rc : spec_fs_read(db->arena, text, len, path, err);
}

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text != NULL ? text : "";
}

/* --- entries --- */

static int push_changed(database *db, const spec_command_line *line,
                        const spec_command_change *change, spec_err *err) {
  const char *command;
  int rc = spec_command_adapt(db->arena, &command, line, change, err);
  if (rc != 0 || command == NULL)
    return rc;
  json_t *entry = json_object();
  rc |= spec_json_put(entry, "directory", spec_json_text(line->directory, NULL));
  rc |= spec_json_put(entry, "command", spec_json_text(command, NULL));
  rc |= spec_json_put(entry, "file", spec_json_text(change->file, NULL));
  if (rc != 0)
    json_decref(entry);
  else
    rc = spec_json_push(db->output, entry);
  return rc != 0 ? spec_fail_memory(err) : SPEC_OK;
}

/* The vendor's file under the path by which the plan found it, and under its real one: an editor
 * may have opened either. */
static int push_vendor(database *db, const spec_command_line *line, spec_command_change change,
                       spec_err *err) {
  const char *real;
  int rc = push_changed(db, line, &change, err);
  if (rc == 0)
    rc = spec_fs_real(db->arena, &real, change.file, err);
  if (rc != 0 || strcmp(real, change.file) == 0)
    return rc;
  change.file = real;
  return push_changed(db, line, &change, err);
}

static const char *staged_folder(database *db, const char *id) {
  const char *dir = spec_path_dirname(db->arena, id);
  return dir == NULL ? NULL : spec_path_join(db->arena, db->stage, dir);
}

/* What a source is compiled from. */
typedef struct origin {
  const char *id;     /* below the stage; NULL: it lies elsewhere */
  const char *target; /* of its link there, or NULL */
  bool own;           /* it is the trunk's own file */
} origin;

static int find_origin(database *db, origin *out, const char *path, spec_err *err) {
  spec_ftype type = SPEC_FT_NONE;
  *out = (origin){.id = spec_path_below(path, db->stage)};
  if (out->id == NULL)
    return SPEC_OK;
  const char *own = spec_path_join(db->arena, db->trunk, out->id);
  int rc = own == NULL ? spec_fail_memory(err) : spec_fs_link_type(&type, path, err);
  if (rc == 0 && type == SPEC_FT_LINK)
    rc = spec_fs_readlink(db->arena, &out->target, path, err);
  out->own = rc == 0 && out->target != NULL && strcmp(out->target, own) == 0;
  return rc;
}

/* A source that is compiled from the stage, under its real path. */
static int add_staged(database *db, const spec_command_line *line, const origin *from,
                      spec_err *err) {
  if (from->target == NULL)
    return SPEC_OK;
  const spec_command_change change = {.file = from->target, .quoted = staged_folder(db, from->id)};
  if (change.quoted == NULL)
    return spec_fail_memory(err);
  return from->own ? push_changed(db, line, &change, err) : push_vendor(db, line, change, err);
}

/* --- what the build compiles --- */

static int remember(database *db, const spec_command_line *line, const char *path, spec_err *err) {
  const char *id = spec_path_below(path, db->stage);
  if (id == NULL)
    id = spec_path_below(path, db->trunk);
  if (id == NULL)
    id = path;
  const char *digest = spec_command_define(line->text, "TRITON_SPEC_DIGEST");
  const char *key = digest == NULL ? id : spec_arena_printf(db->arena, "%s\n%.18s", id, digest);
  spec_command_line *kept = spec_arena_alloc(db->arena, sizeof *kept);
  if (key == NULL || kept == NULL)
    return spec_fail_memory(err);
  *kept = *line;
  int rc = 0;
  if (spec_map_get(db->units, id, NULL) == NULL)
    rc = spec_map_set(db->units, id, kept, err);
  return rc != 0 || spec_map_get(db->units, key, NULL) != NULL
             ? rc
             : spec_map_set(db->units, key, kept, err);
}

/* Whether the path by which the build knows a source is one to open. A trunk file's is, also in the
 * stage: only there it finds an override beside it. */
static bool is_listed(const origin *from) {
  return from->id == NULL || from->target == NULL || from->own;
}

/* One source of a unity batch. */
static int add_batched(database *db, const spec_command_line *line, const char *path,
                       spec_err *err) {
  const spec_command_change change = {.file = path};
  origin from;
  int rc = remember(db, line, path, err);
  if (rc == 0)
    rc = find_origin(db, &from, path, err);
  if (rc == 0 && is_listed(&from))
    rc = push_changed(db, line, &change, err);
  return rc != 0 ? rc : add_staged(db, line, &from, err);
}

/* A file of CMake's <target>.dir/Unity includes the sources by absolute paths. */
static bool is_batch(const char *file) {
  static const char folder[] = ".dir/Unity/";
  size_t dir = (size_t)(spec_path_basename(file) - file), len = sizeof folder - 1;
  return dir >= len && strncmp(file + dir - len, folder, len) == 0;
}

static int add_batch(database *db, const spec_command_line *line, spec_err *err) {
  const char *text;
  size_t len;
  spec_includes includes = {0};
  int rc = read_if_there(db, &text, &len, line->file, err);
  if (rc == 0 && text != NULL)
    rc = spec_scan_c(db->arena, &includes, text, len, err);
  for (size_t i = 0; rc == 0 && i < includes.count; i++)
    if (spec_path_is_absolute(includes.items[i].name))
      rc = add_batched(db, line, includes.items[i].name, err);
  return rc;
}

/* The entry as CMake wrote it, or the next best. */
static int push_listed(database *db, json_t *entry, const spec_command_line *line, spec_err *err) {
  if (strstr(line->text, SPEC_COMMAND_GCC_ONLY) != NULL)
    return push_changed(db, line, &(spec_command_change){.file = line->file}, err);
  return spec_json_push(db->output, json_incref(entry)) != 0 ? spec_fail_memory(err) : SPEC_OK;
}

static int add_entry(database *db, json_t *entry, spec_err *err) {
  spec_command_line line = {text_of(entry, "directory"), text_of(entry, "command"), NULL};
  line.file = spec_path_resolve(db->arena, line.directory, text_of(entry, "file"));
  if (line.file == NULL)
    return spec_fail_memory(err);
  origin from;
  int rc = remember(db, &line, line.file, err);
  if (rc == 0)
    rc = find_origin(db, &from, line.file, err);
  if (rc == 0 && is_listed(&from))
    rc = push_listed(db, entry, &line, err);
  if (rc == 0)
    rc = add_staged(db, &line, &from, err);
  return rc == 0 && is_batch(line.file) ? add_batch(db, &line, err) : rc;
}

/* --- headers --- */

/* The command of a unit of the manifest; NULL when CMake's database has none. */
static int find_unit(database *db, const spec_command_line **out, const json_t *unit,
                     spec_err *err) {
  const char *id = text_of(unit, "source");
  const char *key = spec_arena_printf(db->arena, "%s\n0x%s", id, text_of(unit, "digest"));
  if (key == NULL)
    return spec_fail_memory(err);
  *out = spec_map_get(db->units, key, NULL);
  if (*out == NULL)
    *out = spec_map_get(db->units, id, NULL);
  return SPEC_OK;
}

/* The first unit, with a command, that reaches an override. */
static int find_reaching(database *db, const spec_command_line **out, const char *trunk,
                         spec_err *err) {
  json_t *unit, *reached;
  size_t i, k;
  *out = NULL;
  json_array_foreach (json_object_get(db->manifest, "units"), i, unit)
    json_array_foreach (json_object_get(unit, "overrides"), k, reached) {
      int rc = strcmp(json_string_value(reached), trunk) == 0 ? find_unit(db, out, unit, err) : 0;
      if (rc != 0 || *out != NULL)
        return rc;
    }
  return SPEC_OK;
}

static int add_header(database *db, const json_t *override, spec_err *err) {
  const char *trunk = text_of(override, "trunk");
  const spec_command_line *line = NULL;
  int rc = find_reaching(db, &line, trunk, err);
  if (rc != 0 || line == NULL)
    return rc;
  bool c = strcmp(spec_path_ext(line->file), ".c") == 0;
  bool patched = strcmp(text_of(override, "action"), "patch") == 0;
  const spec_command_change change = {.file = patched ? spec_path_join(db->arena, db->stage, trunk)
                                                      : text_of(override, "vendor"),
                                      .quoted = staged_folder(db, trunk),
                                      .language = c ? "c-header" : "c++-header"};
  return change.file == NULL || change.quoted == NULL ? spec_fail_memory(err)
                                                      : push_vendor(db, line, change, err);
}

static int convert(database *db, spec_err *err) {
  json_t *item;
  size_t i;
  int rc = 0;
  json_array_foreach (db->input, i, item)
    if (rc == 0)
      rc = add_entry(db, item, err);
  json_array_foreach (json_object_get(db->manifest, "overrides"), i, item)
    if (rc == 0 && strcmp(text_of(item, "kind"), "header") == 0 &&
        strcmp(text_of(item, "action"), "remove") != 0)
      rc = add_header(db, item, err);
  return rc;
}

/* --- files --- */

static const char name[] = "compile_commands.json";
static const char stamp_name[] = "compile_commands.digest";

/* What the database is made from: CMake's, and plan.cmake, which has the layers' folders.  All
 * else about an override is in the digests on the command lines. */
static int digest_input(database *db, char out[33], const char *text, size_t len, spec_err *err) {
  const char *plan;
  size_t plan_len;
  spec_digest *digest = spec_digest_new(db->arena);
  int rc = digest == NULL ? spec_fail_memory(err)
                          : read_if_there(db, &plan, &plan_len,
                                          spec_path_join(db->arena, db->dir, "plan.cmake"), err);
  if (rc != 0)
    return rc;
  spec_digest_str(digest, SPEC_VERSION);
  spec_digest_add(digest, text, len);
  spec_digest_add(digest, plan != NULL ? plan : "", plan_len);
  spec_digest_hex(digest, out);
  return SPEC_OK;
}

static int is_current(database *db, bool *out, const char *digest, const char *made,
                      const char *stamp, spec_err *err) {
  const char *text;
  size_t len;
  spec_ftype type = SPEC_FT_NONE;
  int rc = spec_fs_type(&type, made, err);
  if (rc == 0)
    rc = read_if_there(db, &text, &len, stamp, err);
  *out = rc == 0 && type == SPEC_FT_FILE && text != NULL && strcmp(text, digest) == 0;
  return rc;
}

static int parse_file(database *db, json_t **out, const char *text, size_t len, const char *file,
                      spec_err *err) {
  int rc = 0;
  if (text == NULL)
    rc = spec_fs_read(db->arena, &text, &len, file, err);
  return rc != 0 ? rc : spec_json_parse(out, text, len, file, err);
}

static int write_database(database *db, const char *made, spec_err *err) {
  spec_buf text = {0};
  int rc = spec_json_dump(&text, db->output, err);
  if (rc == 0)
    rc = spec_fs_write(made, text.data, text.len, false, NULL, err);
  spec_buf_dispose(&text);
  return rc;
}

static int make(database *db, const char *source, const char *text, size_t len, const char *made,
                spec_err *err) {
  const char *record = spec_path_join(db->arena, db->dir, "manifest.json");
  db->output = json_array();
  if (record == NULL || db->output == NULL)
    return spec_fail_memory(err);
  int rc = parse_file(db, &db->manifest, NULL, 0, record, err);
  if (rc == 0)
    rc = parse_file(db, &db->input, text, len, source, err);
  if (rc == 0)
    rc = spec_map_new(&db->units, db->arena, err);
  db->trunk = text_of(db->manifest, "trunk");
  if (rc == 0)
    rc = convert(db, err);
  return rc != 0 ? rc : write_database(db, made, err);
}

static int refresh(database *db, spec_err *err) {
  const char *text, *source = spec_path_join(db->arena, db->build, name);
  const char *made = spec_path_join(db->arena, db->dir, name);
  const char *stamp = spec_path_join(db->arena, db->dir, stamp_name);
  char digest[33];
  size_t len;
  bool current = false;
  if (made == NULL || stamp == NULL)
    return spec_fail_memory(err);
  int rc = read_if_there(db, &text, &len, source, err);
  if (rc == 0 && text == NULL) {
    rc = spec_fs_remove(stamp, err);
    return rc != 0 ? rc : spec_fs_remove(made, err);
  }
  if (rc == 0)
    rc = digest_input(db, digest, text, len, err);
  if (rc == 0)
    rc = is_current(db, &current, digest, made, stamp, err);
  if (rc != 0 || current)
    return rc;
  rc = make(db, source, text, len, made, err);
  return rc != 0 ? rc : spec_fs_write(stamp, digest, strlen(digest), false, NULL, err);
}

/* While no other run changes the records or writes here. */
static int refresh_alone(database *db, spec_err *err) {
  const spec_reporter nobody = {.arena = db->arena};
  spec_results_locks locks;
  int rc = spec_results_open_build(&locks, &nobody, db->build, err);
  if (rc == 0)
    rc = refresh(db, err);
  spec_results_close_build(&locks);
  return rc;
}

int spec_build_compile_commands(const char *build, spec_err *err) {
  database db = {0};
  const char *cwd = NULL;
  int rc = spec_arena_new(&db.arena, err);
  if (rc != 0)
    return rc;
  rc = spec_fs_cwd(db.arena, &cwd, err);
  if (rc == 0) {
    db.build = spec_path_resolve(db.arena, cwd, build);
    db.dir = db.build == NULL ? NULL : spec_path_join(db.arena, db.build, "spec");
    db.stage = db.dir == NULL ? NULL : spec_path_join(db.arena, db.dir, "stage");
    rc = db.stage == NULL ? spec_fail_memory(err) : refresh_alone(&db, err);
  }
  json_decref(db.input);
  json_decref(db.manifest);
  json_decref(db.output);
  spec_map_free(db.units);
  spec_arena_free(db.arena);
  return rc;
}
