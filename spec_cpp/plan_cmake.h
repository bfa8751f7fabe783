/* plan_cmake.h: plan.cmake, what the CMake side knows before any target exists. */
#ifndef SPEC_CPP_PLAN_CMAKE_H
#define SPEC_CPP_PLAN_CMAKE_H

#include "base/buf.h"
#include "stage.h"
#include "tblgen.h"

/* Global properties that plan.cmake sets:
 *   _SPEC_TRUNK, _SPEC_STAGE, _SPEC_LAYER_DIRS, _SPEC_SCRIPTS (each layer's spec.cmake)
 *   _SPEC_TD/<absolute>    for each affected .td, by its place in the trunk:
 *                          path;wrapper;definition;dependencies...
 *                          (definition is "-" when the trunk's file is read)
 *   _SPEC_HAS_TD           whether there is one
 *   _SPEC_FOLDER/<path>    ON, for each folder with an overridden CMakeLists.txt
 *   _SPEC_MODULE/<path>    for each overridden *.cmake: its staged path
 *   _SPEC_HAS_FOLDER, _SPEC_HAS_MODULE   whether there is one
 *   _SPEC_FILE/<path>      for each source override: its staged path
 *   _SPEC_DEPENDS          files and folders whose change must configure again */
int spec_plan_cmake(spec_arena *arena, spec_buf *out, const spec_merged *view, const spec_tds *tds,
                    const spec_stage *stage, const char *out_dir, spec_err *err);

#endif
