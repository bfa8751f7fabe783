/* export_parts.h: what the files of an export share. */
#ifndef SPEC_CPP_EXPORT_PARTS_H
#define SPEC_CPP_EXPORT_PARTS_H

#include "base/json.h"
#include "core/plan.h"
#include "export.h"

/* The export's own folder and files, below its root. */
#define SPEC_EXPORT_OWN       ".triton-spec"
#define SPEC_EXPORT_ORIGIN    SPEC_EXPORT_OWN "/origin.json"
#define SPEC_EXPORT_SCRIPT    SPEC_EXPORT_OWN "/overlay.cmake"
#define SPEC_EXPORT_WRITING   SPEC_EXPORT_OWN "/writing.json"
#define SPEC_EXPORT_FUNCTIONS SPEC_EXPORT_OWN "/SpecExport.cmake"

/* One file of the export. */
typedef struct spec_export_item {
  const char *source;            /* absolute; NULL for a link to a folder, and for a text */
  const char *text;              /* put together of several files, else NULL */
  size_t len;                    /* of that text */
  bool executable;               /* likewise */
  const char *link;              /* the text of that link, else NULL */
  const char *layer;             /* whose folder it was taken from; NULL: the trunk's */
  const spec_override *override; /* that it comes from, or NULL */
  char digest[33];               /* of its bytes, once written */
} spec_export_item;

typedef struct spec_export {
  spec_arena *arena;
  spec_plan *plan;
  const char *dir;
  spec_export_mode mode;
  spec_map *wanted;     /* path below dir -> spec_export_item */
  spec_map *known;      /* paths that an earlier run made or was about to make */
  const char **scripts; /* of each layer that has one: spec.cmake, below dir */
  size_t script_count;
  bool was_stopped; /* an earlier run did not come to its end */
  spec_exported counts;
} spec_export;

/* export_tree.c: fills wanted and scripts. */
int spec_export_collect(spec_export *export, spec_err *err);
/* Adds an item at a path below dir, in the place of one that is there. */
int spec_export_want(spec_export *export, const char *path, spec_export_item item, spec_err *err);

/* export_package.c: adds what the overlay makes of the Python package. */
int spec_export_package(spec_export *export, spec_err *err);

/* export_origin.c.  Fills known; SPEC_EINVAL when dir holds anything but an earlier export. */
int spec_export_read(spec_export *export, spec_err *err);
/* Says which paths may be there from now on. */
int spec_export_begin(const spec_export *export, spec_err *err);
/* Says where each file came from, and that the export is whole. */
int spec_export_end(const spec_export *export, spec_err *err);

/* export_cmake.c: the text of overlay.cmake; nothing when none is needed. */
int spec_export_script(const spec_export *export, spec_buf *out, spec_err *err);

#endif
