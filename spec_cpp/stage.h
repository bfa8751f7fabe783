/* stage.h: the folder through which overridden files are reached.
 *
 * Stage folders are real folders that hold links to files, never links to
 * folders: a compiler looks for "x.h" beside the *spelled* path of the
 * includer, so what lies beside a staged file is ours to decide.  What a patch
 * makes of a file lies there as a file. */
#ifndef SPEC_CPP_STAGE_H
#define SPEC_CPP_STAGE_H

#include "core/plan.h"

typedef struct spec_stage spec_stage;

/* dir is <build>/spec/stage, absolute; nothing is written yet. */
int spec_stage_new(spec_stage **out, spec_arena *arena, const char *dir, spec_err *err);
void spec_stage_free(spec_stage *stage); /* NULL is allowed */

/* A file of the stage. */
typedef struct spec_staged {
  const char *target;              /* absolute: what it links to; of a patch, the patch itself */
  const spec_override *patched_by; /* the override whose result it holds; NULL: it is a link */
} spec_staged;

const char *spec_stage_dir(const spec_stage *stage);
/* Wants <dir>/path to link to target (absolute). */
int spec_stage_add(spec_stage *stage, const char *path, const char *target, spec_err *err);
/* Wants the override's file at its trunk path: a link to the vendor's, or what its patch makes. */
int spec_stage_add_override(spec_stage *stage, const spec_override *override, spec_err *err);
/* Wants a folder, whether or not a file lies in it. */
int spec_stage_add_dir(spec_stage *stage, const char *path, spec_err *err);
bool spec_stage_has(const spec_stage *stage, const char *path);
/* Whether a wanted file lies in or below the folder. */
bool spec_stage_has_dir(const spec_stage *stage, const char *path);
size_t spec_stage_count(const spec_stage *stage);
/* Calls fn for each wanted path, in order of addition. */
typedef int spec_stage_fn(void *user, const char *path, const spec_staged *file);
int spec_stage_each(const spec_stage *stage, spec_stage_fn *fn, void *user);

/* Makes the links, and the files that do not hold the right bytes yet; with prune, removes
 * everything else below dir. */
int spec_stage_write(spec_stage *stage, bool prune, spec_err *err);

/* Whether the override stands for a CMake file of the trunk, which has files beside it. */
bool spec_stage_is_twin(const spec_override *override);

/* Whether spec_stage_overrides() wants this path: an override, or part of a folder whose
 * CMakeLists.txt is overridden. */
bool spec_stage_is_made(const spec_plan *plan, const char *path);

/* Wants every override that has a file, and what an overridden CMake file finds beside it:
 * for a CMakeLists.txt all that lies in its folder, for a module the files of its folder. */
int spec_stage_overrides(spec_stage *stage, const spec_plan *plan, spec_err *err);

#endif
