/* export_package.c: the Python package of an export. A tree that stands alone has what a wheel to
 * ship has, so it is the package of bake mode. */
#include "export_parts.h"

#include "base/err.h"
#include "base/path.h"
#include "package/package.h"

static int take_member(spec_export *e, const spec_member *m, spec_err *err) {
  const spec_plan *plan = e->plan;
  const char *path = spec_path_join(e->arena, "python", m->path);
  if (path == NULL)
    return spec_fail_memory(err);
  size_t layer = m->override != NULL ? m->override->layer : plan->layer_count - 1;
  spec_export_item item = {.layer = plan->layers[layer].name, .override = m->override};
  if (m->origin == SPEC_FROM_VENDOR) {
    item.source = m->file;
  } else {
    item.text = m->text;
    item.len = m->len;
    item.executable = m->executable;
  }
  return spec_export_want(e, path, item, err);
}

int spec_export_package(spec_export *e, spec_err *err) {
  bool any = false;
  for (size_t i = 0; i < e->plan->override_count; i++)
    any |= e->plan->overrides[i].kind == SPEC_KIND_PYTHON;
  if (!any)
    return SPEC_OK;
  spec_package package;
  int rc = spec_package_new(&package, e->plan, SPEC_PACKAGE_BAKED, err);
  for (size_t i = 0; rc == 0 && i < package.count; i++)
    if (package.members[i].origin != SPEC_FROM_TRUNK)
      rc = take_member(e, &package.members[i], err);
  return rc;
}
