/* key.c: what a stage depends on.
 *
 * Contents, never dates: a file of the same size and date that holds something else gives another
 * stage. Of the trunk's files that are linked it is their names that count, since what is behind a
 * link is never older than the trunk. */
#include "package/key.h"

#include "base/digest.h"
#include "base/err.h"
#include "base/path.h"
#include "package/embedded.h"
#include "package/trunk_files.h"
#include <string.h>

typedef struct hasher {
  spec_digest *digest;
  spec_texts *texts;
  const spec_plan *plan;
} hasher;

static int add_file(const hasher *h, const char *file, spec_err *err) {
  spec_member member = {.file = file};
  int rc = spec_texts_fill(h->texts, &member, err);
  if (rc != 0)
    return rc;
  spec_digest_str(h->digest, file);
  spec_digest_str(h->digest, member.executable ? "x" : "");
  spec_digest_add(h->digest, member.text, member.len);
  return SPEC_OK;
}

static int on_trunk_file(void *user, const char *path, spec_err *err) {
  const hasher *h = user;
  spec_digest_str(h->digest, path);
  if (strcmp(spec_path_ext(path), ".py") != 0)
    return SPEC_OK;
  const char *parent = spec_path_dirname(h->plan->arena, spec_plan_package(h->plan));
  const char *root =
      parent == NULL ? NULL : spec_path_join(h->plan->arena, h->plan->trunk.root, parent);
  const char *full = root == NULL ? NULL : spec_path_join(h->plan->arena, root, path);
  return full == NULL ? spec_fail_memory(err) : add_file(h, full, err);
}

/* An override and those below it. */
static int add_override(const hasher *h, const spec_override *o, spec_err *err) {
  int rc = 0;
  for (; rc == 0 && o != NULL; o = o->below) {
    spec_digest_str(h->digest, o->trunk);
    spec_digest_str(h->digest, spec_action_name(o->action));
    spec_digest_str(h->digest, spec_policy_name(o->policy));
    spec_digest_str(h->digest, h->plan->layers[o->layer].name);
    rc = o->action == SPEC_REMOVE ? SPEC_OK : add_file(h, o->vendor, err);
  }
  return rc;
}

int spec_key_of(char out[33], spec_texts *texts, const spec_plan *plan, spec_err *err) {
  const hasher h = {spec_digest_new(plan->arena), texts, plan};
  if (h.digest == NULL)
    return spec_fail_memory(err);
  spec_digest_str(h.digest, spec_engine_id);
  spec_digest_str(h.digest, plan->backend);
  spec_digest_str(h.digest, plan->strict_redundant ? "redundant" : "");
  spec_digest_str(h.digest, plan->strict_signatures ? "signatures" : "");
  spec_digest_str(h.digest, plan->trunk.root);
  for (size_t i = 0; i < plan->layer_count; i++) {
    spec_digest_str(h.digest, plan->layers[i].name);
    spec_digest_str(h.digest, plan->layers[i].dir);
  }
  int rc = spec_trunk_files(plan, on_trunk_file, (void *)&h, err);
  spec_digest_str(h.digest, "overrides");
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++)
    if (plan->overrides[i].kind == SPEC_KIND_PYTHON)
      rc = add_override(&h, &plan->overrides[i], err);
  spec_digest_hex(h.digest, out);
  return rc;
}

int spec_package_key(char out[33], spec_plan *plan, spec_err *err) {
  spec_texts texts;
  int rc = spec_texts_new(&texts, plan->arena, err);
  if (rc == 0)
    rc = spec_key_of(out, &texts, plan, err);
  spec_texts_free(&texts);
  return rc;
}
