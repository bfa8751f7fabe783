/* includes.h: which units reach which overrides, and what must be staged so
 * that they do.
 *
 * Three questions, in this order:
 *   load   the include graph, a context (an ordered include path) at a time
 *   close  the files that must be reached through the stage: the overridden ones, each
 *          file that includes one of those by a path relative to itself, and all
 *          that a staged file includes that way
 *   reach  for one unit: the overrides it reaches and the include folders through which */
#ifndef SPEC_CPP_INCLUDES_H
#define SPEC_CPP_INCLUDES_H

#include "merged.h"
#include "stage.h"

typedef struct spec_graph spec_graph;
typedef struct spec_context spec_context;
typedef struct spec_unit_node spec_unit_node; /* a unit within a context */

int spec_graph_new(spec_graph **out, spec_arena *arena, const spec_merged *view, spec_err *err);
void spec_graph_free(spec_graph *graph); /* NULL is allowed */

/* The context of an include path: ids of its folders, first to last.  Equal
 * paths give the same context. */
int spec_graph_context(spec_graph *graph, spec_context **out, const char *const *ids, size_t count,
                       spec_err *err);
/* Loads the graph from a unit; forced (ids or names, as -include and PCH give them) are
 * included before its text. */
int spec_graph_load(spec_graph *graph, spec_unit_node **out, spec_context *context, const char *id,
                    const char *const *forced, size_t forced_count, spec_err *err);
/* The same for a unit that consists of forced headers only: `name` is no file's id. */
int spec_graph_load_forced(spec_graph *graph, spec_unit_node **out, spec_context *context,
                           const char *name, const char *const *forced, size_t forced_count,
                           spec_err *err);

/* Adds to the stage what must be reached through it.  Call once, when all units are loaded. */
int spec_graph_close(spec_graph *graph, spec_stage *stage, spec_reporter *report, spec_err *err);

/* Whether this file must be reached through the stage (a unit: compiled from there). */
bool spec_graph_is_staged(const spec_graph *graph, const char *id);

typedef struct spec_reach {
  const spec_override **overrides; /* sorted by trunk path */
  size_t override_count;
  const char **dirs; /* ids of folders to put before the search path, in its order */
  size_t dir_count;
} spec_reach;

/* What a loaded unit reaches; call after spec_graph_close(). */
int spec_graph_reach(spec_graph *graph, spec_reach *out, spec_unit_node *unit, spec_err *err);

#endif
