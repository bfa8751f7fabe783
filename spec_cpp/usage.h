/* usage.h: what a target inherits from the libraries it links: CMake's usage
 * requirements, as far as they can be read at configure time. */
#ifndef SPEC_CPP_USAGE_H
#define SPEC_CPP_USAGE_H

#include "targets.h"

/* The target's include path in CMake's order, as raw absolute paths: its own
 * folders when current, its own entries, those of linked libraries, then -I of options and
 * flags; system folders, as far as they are known, last.  Conditions of generator expressions are
 * taken as true. */
int spec_usage_includes(spec_arena *arena, spec_list *out, const spec_targets *targets,
                        const spec_target *target, spec_err *err);
/* Files named by -include of options and flags, and precompiled headers: absolute paths, or
 * names to look for on the include path. */
int spec_usage_forced(spec_arena *arena, spec_list *out, const spec_targets *targets,
                      const spec_target *target, spec_err *err);

/* The target that compiles this one's precompiled header: another, or itself. */
const spec_target *spec_usage_precompiler(const spec_targets *targets, const spec_target *target);
/* The headers that the target precompiles, or has precompiled by another: as above. */
int spec_usage_precompiled(spec_arena *arena, spec_list *out, const spec_targets *targets,
                           const spec_target *target, spec_err *err);

/* Of those, the ones that flags variables and sources' own options name: no property of the
 * target can name them otherwise. */
int spec_usage_fixed_forced(spec_arena *arena, spec_list *out, const spec_targets *targets,
                            const spec_target *target, spec_err *err);

/* What an item can be when $<CONFIG> in it is one of the build types: itself when there is none. */
int spec_usage_configs(spec_arena *arena, spec_list *out, const spec_targets *targets,
                       const char *item, spec_err *err);

/* A source a target compiles: its own, or one that a linked library's
 * INTERFACE_SOURCES brings. */
typedef struct spec_source {
  const char *text; /* as listed */
  const spec_target *from;
} spec_source;

int spec_usage_sources(spec_arena *arena, spec_source **out, size_t *count,
                       const spec_targets *targets, const spec_target *target, spec_err *err);

/* Calls fn for each part of a list item that can be a path: the item itself, or the
 * parts of a generator expression between its punctuation. */
typedef int spec_part_fn(void *user, const char *part, size_t len, spec_err *err);
int spec_usage_parts(const char *item, spec_part_fn *fn, void *user, spec_err *err);

#endif
