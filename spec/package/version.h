/* version.h: names of wheels, and versions with a local label (PEP 440; the binary distribution
 * format). */
#ifndef SPEC_PACKAGE_VERSION_H
#define SPEC_PACKAGE_VERSION_H

#include "base/arena.h"

/* The parts of "triton-3.9.0-1-cp311-cp311-linux_x86_64.whl". */
typedef struct spec_wheel_name {
  const char *project, *version;
  const char
      *tail; /* build tag, if any, and the compatibility tags: "1-cp311-cp311-linux_x86_64" */
} spec_wheel_name;

/* SPEC_EINVAL: it is no name of a wheel. */
int spec_wheel_name_parse(spec_wheel_name *out, spec_arena *arena, const char *path, spec_err *err);
/* Whether two names mean one project: "My_Project" and "my-project" do. */
bool spec_project_equal(const char *a, const char *b);
/* Whether two spellings mean one version, as far as case, separators and leading zeros go: as it
 * stands in METADATA, and in the names of files and folders. */
bool spec_version_equal(const char *a, const char *b);
/* The version with a further local label, normalized: "3.9.0" and "Acme_x" give "3.9.0+acme.x",
 * "3.9.0+git1" gives "3.9.0+git1.acme.x".
 * SPEC_EINVAL: the label, or the version, cannot be part of one. */
int spec_version_with_label(const char **out, spec_arena *arena, const char *version,
                            const char *label, spec_err *err);
/* The version as a part of the name of a file or folder, where '-' parts the parts; NULL when
 * memory is out. */
const char *spec_version_in_name(spec_arena *arena, const char *version);

#endif
