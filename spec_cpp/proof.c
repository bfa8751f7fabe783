/* proof.c: what reading a file means, and keeping who did. */
#include "proof.h"

#include "base/err.h"
#include "base/path.h"
#include <string.h>

spec_touch spec_verify_touch(const spec_verifying *v, spec_proof **out, const char *path) {
  const char *id = spec_path_below(path, v->stage);
  *out = id != NULL ? spec_map_get(v->by_trunk, id, NULL) : spec_map_get(v->by_vendor, path, NULL);
  if (*out != NULL)
    return SPEC_TOUCH_USED;
  if (id != NULL || spec_path_below(path, v->build) != NULL)
    return SPEC_TOUCH_NONE;
  id = spec_path_below(path, v->trunk);
  if (id == NULL)
    id = spec_path_below(path, v->trunk_real);
  *out = id == NULL ? NULL : spec_map_get(v->by_trunk, id, NULL);
  return *out == NULL ? SPEC_TOUCH_NONE : SPEC_TOUCH_SHADOWED;
}

int spec_verify_use(spec_verifying *v, spec_proof *proof, const char *output, spec_err *err) {
  size_t n = proof->output_count;
  if (n > 0 && strcmp(proof->outputs[n - 1], output) == 0)
    return SPEC_OK; /* the same output names a file by two spellings */
  int rc = spec_arena_reserve(v->arena, &proof->outputs, n, &proof->output_cap,
                              sizeof *proof->outputs, err);
  if (rc == 0)
    proof->outputs[proof->output_count++] = output;
  return rc;
}

int spec_verify_shadow(spec_verifying *v, const spec_proof *proof, const char *output,
                       const char *includer, spec_err *err) {
  const char *key =
      spec_arena_printf(v->arena, "%s\n%s", proof->trunk, *includer != '\0' ? includer : output);
  if (key == NULL)
    return spec_fail_memory(err);
  /* One include that goes wrong does so in every unit: said once. */
  if (spec_map_get(v->shadowed, key, NULL) != NULL)
    return SPEC_OK;
  const char *where = *includer != '\0' ? includer : output;
  spec_report(&v->report, SPEC_F_SHADOWED, where, output, proof->trunk, proof->vendor);
  return spec_map_set(v->shadowed, key, v, err);
}
