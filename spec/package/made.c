/* made.c: what a package needs to know about the overlay that it was made with. */
#include "package/made.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/path.h"
#include "package/embedded.h"
#include "package/spans.h"

/* Outermost first, as a hook is looked for. */
static const char *backend_text(const spec_plan *plan) {
  spec_buf text = {0};
  spec_buf_printf(&text,
                  "\"\"\"The backend that this package was made for.\"\"\"\n\n"
                  "FLAGTREE_BACKEND = \"%s\"\nLAYERS = (",
                  plan->backend);
  for (size_t i = plan->layer_count; i-- > 0;)
    spec_buf_printf(&text, "\"%s\",%s", plan->layers[i].name, i > 0 ? " " : ")\n");
  const char *out =
      spec_buf_failed(&text) ? NULL : spec_arena_strdup(plan->arena, spec_buf_text(&text));
  spec_buf_dispose(&text);
  return out;
}

static int layer_members(const spec_plan *plan, const char *name, spec_made_fn *fn, void *user,
                         spec_err *err) {
  const char *package = spec_arena_printf(plan->arena, "triton/spec/%s/__init__.py", name);
  const char *hooks = spec_arena_printf(plan->arena, "triton/spec/%s/triton/__init__.py", name);
  if (package == NULL || hooks == NULL)
    return spec_fail_memory(err);
  int rc = fn(user, package, "", err);
  return rc != 0 ? rc : fn(user, hooks, "", err);
}

int spec_made_members(const spec_plan *plan, spec_package_mode mode, spec_made_fn *fn, void *user,
                      spec_err *err) {
  const char *backend = backend_text(plan);
  if (backend == NULL)
    return spec_fail_memory(err);
  int rc = fn(user, "triton/FLAGTREE_BACKEND", plan->backend, err);
  if (rc == 0)
    rc = fn(user, "triton/_flagtree_backend.py", backend, err);
  if (rc == 0)
    rc = fn(
        user, "triton/_flagtree_spec.py",
        spec_embedded(mode == SPEC_PACKAGE_LIVE ? "_flagtree_spec_live.py" : "_flagtree_spec.py"),
        err);
  if (rc == 0)
    rc = fn(user, "triton/spec/__init__.py", spec_embedded("spec_init.py"), err);
  for (size_t i = 0; rc == 0 && i < plan->layer_count; i++)
    rc = layer_members(plan, plan->layers[i].name, fn, user, err);
  return rc;
}

int spec_made_append(spec_member *module, spec_arena *arena, const char *lines, spec_err *err) {
  int rc = module->span_count == 0 && module->file != NULL ? spec_span_whole(module, arena, err)
                                                           : SPEC_OK;
  if (rc != 0)
    return rc;
  bool ends = module->len == 0 || module->text[module->len - 1] == '\n';
  spec_buf text = {0};
  spec_buf_add(&text, module->text, module->len);
  spec_buf_str(&text, ends ? "" : "\n");
  spec_buf_str(&text, lines);
  module->len = text.len;
  module->text = spec_buf_failed(&text) ? NULL : spec_arena_strndup(arena, text.data, text.len);
  module->origin = SPEC_MADE;
  module->file = NULL;
  module->modified = SPEC_MADE_DATE;
  spec_buf_dispose(&text);
  return module->text == NULL ? spec_fail_memory(err) : SPEC_OK;
}

bool spec_made_shadows(const spec_plan *plan, const char *path) {
  const char *inner = spec_path_below(path, "triton/spec");
  for (size_t i = 0; inner != NULL && i < plan->layer_count; i++)
    if (spec_path_below(inner, plan->layers[i].name) != NULL)
      return true;
  return false;
}
