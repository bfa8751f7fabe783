/* bake.h: a wheel of Triton with a backend's package in it. */
#ifndef SPEC_PACKAGE_BAKE_H
#define SPEC_PACKAGE_BAKE_H

#include "package/bake_folder.h"
#include "package/wheel.h"

typedef struct spec_bake_options {
  const char *wheel;   /* the wheel that is the trunk */
  const char *folder;  /* where the new one goes; made if need be */
  const char *scratch; /* a folder for temporary files */
  const char *label;   /* of the new version; NULL: the backend's name */
  int64_t date;        /* of what is new or changed, see spec_wheel_edit */
  spec_options plan;   /* backend, roots, strictness and on_event; the trunk is set here */
} spec_bake_options;

typedef struct spec_baked {
  const char *path;                      /* of the new wheel */
  const char *version;                   /* "3.9.0+acme" */
  bool changed;                          /* false: a file with the same bytes was there */
  size_t kept, replaced, added, removed; /* members */
  spec_plan *plan;                       /* its trunk is gone; for spec_baked_dispose() */
} spec_baked;

/* Makes the wheel; nothing is left of it when this fails. Strings are the arena's.
 * SPEC_EINVAL: not a stock wheel of triton, or a label that cannot be one; SPEC_EREFUSED: the
 * overlay has findings; else as spec_wheel_open(), spec_plan_new() and spec_wheel_write(). Places
 * in the trunk are told as "<wheel>:<member>". */
int spec_bake_wheel(spec_baked *out, spec_arena *arena, const spec_bake_options *options,
                    spec_err *err);
void spec_baked_dispose(spec_baked *baked);

/* The baked package's record of itself in the dist-info folder. */
#define SPEC_BAKE_MANIFEST "spec-manifest.json"

/* bake_trunk.c. Unpacks what a plan looks at of the package into an empty folder: its modules
 * whole, of all other files their names. */
int spec_bake_unpack(const spec_wheel *wheel, const char *folder, spec_err *err);
/* Unpacks those other files too that a plan's overrides replace. */
int spec_bake_unpack_replaced(const spec_wheel *wheel, const char *folder, const spec_plan *plan,
                              spec_err *err);

#endif
