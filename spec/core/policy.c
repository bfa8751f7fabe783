/* policy.c: the default table is FlagTree's; spec.ini may loosen it. */
#include "core/policy.h"

#include "base/path.h"
#include <string.h>

/* Longest matching folder or file wins; order does not matter. */
static const struct {
  const char *path;
  spec_policy policy;
} defaults[] = {
    {"triton", SPEC_POLICY_MERGE},
    {"triton/backends", SPEC_POLICY_WHOLE},
    {"triton/compiler", SPEC_POLICY_WHOLE},
    {"triton/language", SPEC_POLICY_WHOLE},
    {"triton/runtime", SPEC_POLICY_WHOLE},
    {"triton/tools", SPEC_POLICY_WHOLE},
    {"triton/experimental/gluon", SPEC_POLICY_WHOLE},
    {"triton/experimental/tle", SPEC_POLICY_CLOSED},
    {"triton/knobs.py", SPEC_POLICY_CLOSED},
    {"triton/_internal_testing.py", SPEC_POLICY_CLOSED},
    {"triton/_flagtree_spec.py", SPEC_POLICY_CLOSED},
    {"triton/_flagtree_backend.py", SPEC_POLICY_CLOSED},
};

static bool covers(const char *rule, const char *path) {
  return spec_path_below(path, rule) != NULL;
}

spec_policy spec_policy_default(const char *package_path) {
  spec_policy best = SPEC_POLICY_WHOLE;
  size_t best_len = 0;
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
    size_t len = strlen(defaults[i].path);
    if (len > best_len && covers(defaults[i].path, package_path)) {
      best = defaults[i].policy;
      best_len = len;
    }
  }
  /* A package's __init__ re-exports its children: replacing it whole would lose them. */
  if (best == SPEC_POLICY_WHOLE && strcmp(spec_path_basename(package_path), "__init__.py") == 0)
    return SPEC_POLICY_MERGE;
  return best;
}

static spec_policy parse(const char *name) {
  if (strcmp(name, "whole") == 0)
    return SPEC_POLICY_WHOLE;
  return strcmp(name, "merge") == 0 ? SPEC_POLICY_MERGE : SPEC_POLICY_CLOSED;
}

spec_policy spec_policy_for(const spec_backend *backend, const char *package_path) {
  spec_policy best = spec_policy_default(package_path);
  const char *inner = spec_path_below(package_path, "triton");
  size_t best_len = 0;
  for (size_t i = 0; i < backend->setting_count; i++) {
    const spec_setting *s = &backend->settings[i];
    if (strcmp(s->section, "policy") != 0)
      continue;
    /* Bytes of the package path that the key covers: a short key leaves out "triton/". */
    size_t len = strlen(s->key);
    if (inner != NULL && covers(s->key, inner))
      len += (size_t)(inner - package_path);
    else if (!covers(s->key, package_path))
      continue;
    if (len >= best_len) {
      best = parse(s->value);
      best_len = len;
    }
  }
  return best;
}
