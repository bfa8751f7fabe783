/* export_cmake.c: overlay.cmake, the small part of an export's CMake code that is its own. */
#include "export_parts.h"

#include "base/err.h"
#include "base/path.h"
#include "cmake_text.h"

static const char head[] =
    "# Made by triton-spec export: what the overlay asks of the trunk's targets, in plain CMake.\n"
    "# Give it to CMake 3.24 or newer: -DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=<this file>\n"
    "include_guard(GLOBAL)\n"
    "get_filename_component(_export_root \"${CMAKE_CURRENT_LIST_DIR}/..\" ABSOLUTE)\n"
    "set_property(GLOBAL PROPERTY _EXPORT_ROOT \"${_export_root}\")\n";

static int add_removed(const spec_export *e, spec_buf *out, spec_err *err) {
  const spec_plan *plan = e->plan;
  const char **removed = spec_arena_array(e->arena, plan->override_count + 1, sizeof *removed);
  size_t count = 0;
  if (removed == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < plan->override_count; i++)
    if (plan->overrides[i].action == SPEC_REMOVE && plan->overrides[i].kind == SPEC_KIND_SOURCE)
      removed[count++] = plan->overrides[i].trunk;
  if (count > 0)
    spec_cmake_global(out, "_EXPORT_REMOVED", removed, count);
  return SPEC_OK;
}

int spec_export_script(const spec_export *e, spec_buf *out, spec_err *err) {
  spec_buf removed = {0};
  int rc = add_removed(e, &removed, err);
  if (rc == 0 && (removed.len > 0 || e->script_count > 0)) {
    spec_buf_str(out, head);
    spec_buf_str(out, spec_buf_text(&removed));
    spec_buf_str(out, "include(\"${CMAKE_CURRENT_LIST_DIR}/SpecExport.cmake\")\n");
    for (size_t i = 0; i < e->script_count; i++) {
      spec_buf_str(out, "set(_export_script ");
      spec_cmake_quote(out, e->scripts[i]);
      spec_buf_str(out, ")\ninclude(\"${_export_root}/${_export_script}\")\n");
    }
  }
  if (rc == 0 && (spec_buf_failed(&removed) || spec_buf_failed(out)))
    rc = spec_fail_memory(err);
  spec_buf_dispose(&removed);
  return rc;
}
