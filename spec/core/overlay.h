/* overlay.h: walking a vendor's folder under the rules for links and names. */
#ifndef SPEC_CORE_OVERLAY_H
#define SPEC_CORE_OVERLAY_H

#include "core/finding.h"

/* Whether CMake and Ninja can carry a path: UTF-8 without control characters, without ; " \ $ [ ],
 * which CMake reads as more than a name, and without ' ` ^ < > | * ? &, at which Ninja before 1.13
 * ends a name in a depfile (later ones at most of them): what read such a file would never be
 * built again. */
bool spec_overlay_is_carried(const char *path);

/* Called for each file: its path below the walked folder. */
typedef int spec_overlay_fn(void *user, const char *path, spec_err *err);

/* Walks <layer_dir>/<sub> in bytewise order; nothing when it is absent.  Links
 * may lead to files and folders inside layer_dir only; loops, links that
 * leave, special files and names that a build cannot carry are reported. */
int spec_overlay_walk(spec_arena *arena, const char *layer_dir, const char *sub,
                      spec_reporter *report, spec_overlay_fn *fn, void *user, spec_err *err);

#endif
