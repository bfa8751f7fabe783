/* place.h: the overlay among a build's targets. */
#ifndef SPEC_CPP_PLACE_H
#define SPEC_CPP_PLACE_H

#include "base/buf.h"
#include "includes.h"
#include "targets.h"

/* One compiled source in one folder of the build. */
typedef struct spec_unit {
  const spec_target *target;
  const char *id;     /* in the merged view */
  const char *listed; /* absolute path under which the target lists it today */
  spec_unit_node *node;
  bool relocated; /* compiled from the stage */
  bool batched;   /* CMake may compile it within a unity batch */
  spec_reach reach;
  char digest[33]; /* "" when it reaches no override */
} spec_unit;

/* A target's property whose items change. */
typedef struct spec_swap {
  const spec_target *target;
  const char *property; /* "SOURCES", "PRECOMPILE_HEADERS", ... */
  spec_list items;
} spec_swap;

/* What a whole target gets, since its precompiled header and its unity batches are compiled with
 * the target's own properties. */
typedef struct spec_wide {
  const spec_target *target;
  const char **path; /* ids of its include path's folders */
  size_t path_count;
  size_t first_unit, unit_count;
  spec_unit_node *precompiled; /* the header, or NULL */
  bool *reached;               /* by index of an override, or NULL: none */
  const char **dirs;           /* ids of folders to put before the include path, in its order */
  size_t dir_count;
  char digest[33]; /* "" when nothing is to be done */
} spec_wide;

typedef struct spec_placing {
  spec_arena *arena;
  spec_plan *plan;
  const char *out;
  const char *project; /* the build's own root when it is not the trunk, else "" */
  spec_targets targets;
  spec_merged view;
  spec_stage *stage;
  spec_graph *graph;
  spec_unit *units;
  size_t unit_count, unit_cap;
  spec_swap *swaps;
  size_t swap_count, swap_cap;
  spec_wide *wides;  /* one a target, in their order */
  spec_map **owners; /* one set of target names an override */
} spec_placing;

/* build.c: the whole step in memory.  The caller sets arena, plan, out and the view; it disposes of
 * what the step made also when it fails. */
int spec_place_step(spec_placing *p, const char *targets, bool strict_unused, spec_err *err);
void spec_place_dispose(spec_placing *p);
/* place.c */
int spec_place_units(spec_placing *p, spec_err *err);
int spec_place_swaps(spec_placing *p, spec_err *err);
/* wide.c: precompiled headers are loaded with the units; when those are reached, what holds for
 * whole targets is found. */
int spec_place_load_precompiled(spec_placing *p, spec_wide *wide, spec_context *context,
                                spec_err *err);
int spec_place_wides(spec_placing *p, spec_err *err);
/* The unit's folder and file, which share CMake's source properties; NULL without memory. */
const char *spec_place_unit_key(const spec_placing *p, const spec_unit *unit);
/* forced.c: what names a staged header by its path is swapped. */
int spec_place_swap_forced(spec_placing *p, const spec_target *target, spec_err *err);
/* owners.c */
int spec_place_own(spec_placing *p, const spec_override *override, const char *owner,
                   spec_err *err);
int spec_place_owners(spec_placing *p, bool strict_unused, spec_err *err);
/* place_cmake.c */
int spec_place_cmake(const spec_placing *p, spec_buf *out, spec_err *err);
/* report.c */
int spec_place_log(const spec_placing *p, spec_buf *out, spec_err *err);
int spec_place_manifest(const spec_placing *p, spec_buf *out, spec_err *err);

#endif
