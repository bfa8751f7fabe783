/* bake_folder.h: a backend's package in the place of the trunk's, and what it says of itself. */
#ifndef SPEC_PACKAGE_BAKE_FOLDER_H
#define SPEC_PACKAGE_BAKE_FOLDER_H

#include "package/package.h"

/* bake_manifest.c. The manifest's text, in the arena: that of live mode, but for its mode, and for
 * paths, which name no folder of this machine; trunk is what it calls the trunk. */
int spec_bake_manifest(spec_arena *arena, const char **text, size_t *len,
                       const spec_package *package, const char *trunk, spec_err *err);

/* Where a package that was baked in its folder records that, below the folder. */
#define SPEC_BAKE_FOLDER_MANIFEST "triton/_spec_manifest.json"

/* Puts the backend's package over the installed one that is the plan's trunk, in its place: a
 * build's folder that holds triton/, which nothing else changes meanwhile. What is the trunk's
 * stays as it is; files appear whole, the manifest last. SPEC_EINVAL: it is baked already;
 * SPEC_EREFUSED: the overlay has findings; else as spec_plan_new(). Nothing was written then;
 * SPEC_EIO: as much as the disk took. */
int spec_bake_folder(const spec_options *options, spec_err *err);

#endif
