/* rule.c */
#include "core/rule.h"

#include "base/path.h"
#include <string.h>

enum { SWAP, ADDITION, PRIORITY, TBLGEN, TWIN, MODULE, REMOVAL, PACKAGE, HOOKS, MERGED, PATCHED };

static const spec_rule rules[] = {
    [SWAP] = {"source-swap", "compiled from the stage in every target that has the trunk's file"},
    [ADDITION] = {"addition", "compiled from the stage in the targets that spec.cmake names"},
    [PRIORITY] = {"include-priority",
                  "the stage comes before the search path, and who finds it beside is staged too"},
    [TBLGEN] = {"tblgen-wrapper", "tblgen runs through a wrapper that searches the stage first"},
    [TWIN] = {"cmake-twin", "its folder is entered through the twin in the stage"},
    [MODULE] = {"cmake-module", "include() reads it from the stage"},
    [REMOVAL] = {"removal", "no target compiles it"},
    [PACKAGE] = {"python-package", "it has that place in the merged Python package"},
    [MERGED] = {"python-merge",
                "the merged package has the trunk's module with its definitions in it"},
    [PATCHED] = {"python-patch", "the merged package has the file with the patch applied"},
    [HOOKS] = {"python-hooks", "the merged package has it as triton/spec/<backend>/triton"},
};

static int row_of(const spec_override *o) {
  if (o->action == SPEC_REMOVE)
    return REMOVAL;
  if (o->action == SPEC_HOOKS)
    return HOOKS;
  if (o->action == SPEC_PATCH && o->kind == SPEC_KIND_PYTHON)
    return PATCHED;
  switch (o->kind) {
  case SPEC_KIND_SOURCE:
    return o->in_trunk ? SWAP : ADDITION;
  case SPEC_KIND_TD:
    return TBLGEN;
  case SPEC_KIND_CMAKE:
    return strcmp(spec_path_basename(o->trunk), "CMakeLists.txt") == 0 ? TWIN : MODULE;
  case SPEC_KIND_PYTHON:
    return o->policy == SPEC_POLICY_MERGE && (o->action == SPEC_REPLACE || o->below != NULL)
               ? MERGED
               : PACKAGE;
  default:
    return PRIORITY;
  }
}

const spec_rule *spec_rule_of(const spec_override *override) {
  return &rules[row_of(override)];
}

const char *spec_rule_reason(const spec_override *override) {
  switch (override->action) {
  case SPEC_REPLACE:
    return "the overlay has a file at the same path";
  case SPEC_ADD:
    return "the overlay has a file here and the trunk has none";
  case SPEC_REMOVE:
    return "spec.ini removes it";
  case SPEC_PATCH:
    return "the overlay has a patch beside this path";
  default:
    return "it is the registry of the backend's hooks";
  }
}
