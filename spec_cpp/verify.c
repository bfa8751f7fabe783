/* verify.c: reads the records of a build, judges, and completes the manifest. */
#include "verify.h"

#include "base/err.h"
#include "base/path.h"
#include "core/results.h"
#include "spec_build.h"
#include <string.h>

/* --- records --- */

static int no_record(const spec_verifying *v, const char *path, spec_err *err) {
  spec_fail(err, SPEC_ENOTFOUND, "build '%s' was configured without an overlay", v->build);
  spec_fail_where(err, "%s", path);
  return spec_fail_mend(err, "nothing put the overlay in: something replaced "
                             "CMAKE_PROJECT_TOP_LEVEL_INCLUDES, or CMake is older than 3.24; "
                             "configure with what 'triton-spec cmake-args' prints");
}

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text != NULL ? text : "";
}

static int read_proofs(spec_verifying *v, spec_err *err) {
  json_t *list = json_object_get(v->manifest, "overrides"), *item;
  size_t i;
  v->proofs = spec_arena_array(v->arena, json_array_size(list), sizeof *v->proofs);
  if (v->proofs == NULL)
    return spec_fail_memory(err);
  json_array_foreach (list, i, item) {
    spec_proof *proof = &v->proofs[v->proof_count++];
    *proof = (spec_proof){.trunk = text_of(item, "trunk"),
                          .vendor = text_of(item, "vendor"),
                          .kind = text_of(item, "kind"),
                          .action = text_of(item, "action"),
                          .record = item};
    int rc = spec_map_set(v->by_trunk, proof->trunk, proof, err);
    if (rc == 0 && strcmp(proof->action, "remove") != 0)
      rc = spec_map_set(v->by_vendor, proof->vendor, proof, err);
    if (rc != 0)
      return rc;
  }
  return SPEC_OK;
}

static int read_manifest(spec_verifying *v, spec_err *err) {
  const char *path = spec_path_join(v->arena, v->build, "spec/manifest.json"), *text = NULL;
  size_t len = 0;
  if (path == NULL)
    return spec_fail_memory(err);
  spec_ftype type;
  int rc = spec_fs_type(&type, path, err);
  if (rc == 0 && type != SPEC_FT_FILE)
    return no_record(v, path, err);
  if (rc == 0)
    rc = spec_fs_read(v->arena, &text, &len, path, err);
  if (rc == 0)
    rc = spec_json_parse(&v->manifest, text, len, path, err);
  if (rc != 0)
    return rc;
  v->trunk = text_of(v->manifest, "trunk");
  rc = spec_fs_real(v->arena, &v->trunk_real, v->trunk, err);
  return rc != 0 ? rc : read_proofs(v, err);
}

/* --- judgement --- */

/* CMake and Python files are used at configure time; their proof is there. */
static bool is_proved_by_build(const spec_proof *proof) {
  static const char *const kinds[] = {"source", "header", "td"};
  if (strcmp(proof->action, "remove") == 0)
    return false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(proof->kind, kinds[i]) == 0)
      return true;
  return false;
}

static void judge(spec_verifying *v, spec_verification *out) {
  for (size_t i = 0; i < v->proof_count; i++) {
    const spec_proof *proof = &v->proofs[i];
    out->overrides++;
    if (!is_proved_by_build(proof))
      out->configured++;
    else if (proof->output_count > 0)
      out->proved++;
    else if (proof->pending)
      out->pending++;
    else
      spec_report(&v->report, SPEC_F_NOT_READ, proof->vendor, proof->trunk, NULL, NULL);
  }
}

static int record_proof(const spec_proof *proof) {
  json_t *outputs = json_array();
  int rc = 0;
  for (size_t i = 0; i < proof->output_count; i++)
    rc |= spec_json_push(outputs, spec_json_text(proof->outputs[i], NULL));
  return rc | spec_json_put(proof->record, "used_by", outputs);
}

/* The manifest, each override with the outputs that read it. */
static int write_manifest(spec_verifying *v, spec_err *err) {
  spec_buf text = {0};
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < v->proof_count; i++)
    rc = record_proof(&v->proofs[i]);
  rc = rc != 0 ? spec_fail_memory(err) : spec_json_dump(&text, v->manifest, err);
  const char *path = spec_path_join(v->arena, v->build, "spec/manifest.json");
  if (rc == 0)
    rc = path == NULL ? spec_fail_memory(err)
                      : spec_fs_write(path, spec_buf_text(&text), text.len, false, NULL, err);
  spec_buf_dispose(&text);
  return rc;
}

static int open_maps(spec_verifying *v, spec_err *err) {
  int rc = spec_map_new(&v->by_trunk, v->arena, err);
  if (rc == 0)
    rc = spec_map_new(&v->by_vendor, v->arena, err);
  if (rc == 0)
    rc = spec_map_new(&v->edges, v->arena, err);
  return rc != 0 ? rc : spec_map_new(&v->shadowed, v->arena, err);
}

static int verify(spec_verifying *v, spec_verification *out, spec_err *err) {
  int rc = open_maps(v, err);
  if (rc == 0)
    rc = spec_ninja_build_outputs(v->arena, v->edges, v->build, err);
  if (rc == 0)
    rc = read_manifest(v, err);
  if (rc == 0)
    rc = spec_ninja_deps_read(v->arena, &v->deps, v->build, err);
  if (rc == 0)
    rc = spec_verify_units(v, err);
  if (rc == 0)
    rc = spec_verify_tds(v, err);
  if (rc != 0)
    return rc;
  judge(v, out);
  rc = write_manifest(v, err);
  return rc != 0 ? rc : spec_reporter_result(&v->report, err);
}

static int find_folders(spec_verifying *v, const char *build, spec_err *err) {
  const char *cwd;
  int rc = spec_fs_cwd(v->arena, &cwd, err);
  if (rc != 0)
    return rc;
  v->build = spec_path_resolve(v->arena, cwd, build);
  v->stage = v->build == NULL ? NULL : spec_path_join(v->arena, v->build, "spec/stage");
  return v->stage == NULL ? spec_fail_memory(err) : SPEC_OK;
}

/* Records and manifest must be of one configure run, and no other may begin meanwhile. */
static int verify_alone(spec_verifying *v, spec_verification *out, spec_err *err) {
  spec_results_locks locks;
  int rc = spec_results_open_build(&locks, &v->report, v->build, err);
  if (rc == 0)
    rc = verify(v, out, err);
  spec_results_close_build(&locks);
  return rc;
}

int spec_build_wait(const char *build, spec_event_fn *on_event, void *user, spec_err *err) {
  spec_run_lock lock;
  int rc = spec_run_lock_take(&lock, SPEC_RUN_CONFIGURE, build, on_event, user, err);
  if (rc == 0)
    spec_run_lock_release(&lock);
  return rc;
}

int spec_build_verify(spec_verification *out, const char *build, spec_event_fn *on_event,
                      void *user, spec_err *err) {
  spec_verifying v = {0};
  spec_verification result = {0};
  int rc = spec_arena_new(&v.arena, err);
  if (rc != 0)
    return rc;
  v.report = (spec_reporter){v.arena, on_event, user, 0, false, 0};
  rc = find_folders(&v, build, err);
  if (rc == 0)
    rc = verify_alone(&v, &result, err);
  json_decref(v.manifest);
  spec_map_free(v.by_trunk);
  spec_map_free(v.by_vendor);
  spec_map_free(v.edges);
  spec_map_free(v.shadowed);
  spec_arena_free(v.arena);
  if (rc == 0 || rc == SPEC_EREFUSED)
    *out = result;
  return rc;
}
