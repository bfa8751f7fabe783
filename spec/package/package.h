/* package.h: the merged Python package of a plan: which files it holds, and what is in them.
 *
 *   spec_package_new()      the members of a plan's package
 *   spec_package_write()    writes them into a folder that a build owns
 *   spec_package_publish()  writes them into the user's cache, once for each key
 */
#ifndef SPEC_PACKAGE_PACKAGE_H
#define SPEC_PACKAGE_PACKAGE_H

#include "core/plan.h"

typedef enum spec_package_mode {
  SPEC_PACKAGE_LIVE, /* beside the trunk, for a Python that has triton_spec */
  SPEC_PACKAGE_BAKED /* in the trunk's place; needs nothing of ours when it runs */
} spec_package_mode;

typedef enum spec_origin {
  SPEC_FROM_TRUNK,  /* the trunk's file */
  SPEC_FROM_VENDOR, /* a vendor's file */
  SPEC_MADE         /* a text that is in neither: merged, or of this tool */
} spec_origin;

/* `count` lines of a module, from `line` on, are those of `file` from `file_line` on; all from 1.
 * What no span of a made module covers is a line of this tool. */
typedef struct spec_span {
  size_t line, count;
  const char *file; /* absolute */
  size_t file_line;
} spec_span;

typedef struct spec_member {
  const char *path; /* below the package's parent: "triton/runtime/jit.py" */
  spec_origin origin;
  const char *file; /* absolute; NULL when made */
  const char *text; /* its bytes; NULL for a trunk's file that is no module */
  size_t len;       /* of text */
  int64_t modified; /* of a file with a text: nanoseconds since 1970; of a made one a fixed date */
  bool executable;  /* likewise */
  const spec_override *override; /* what put it here, or NULL: the trunk, or this tool */
  const spec_span *spans;        /* of the vendor's and made modules, sorted by line */
  size_t span_count;
} spec_member;

typedef struct spec_package {
  const spec_plan *plan;
  spec_package_mode mode;
  const spec_member *members; /* sorted by path, bytewise */
  size_t count;
  const char *const *removed; /* the trunk's members that are left out, sorted */
  size_t removed_count;
  char digest[33]; /* over all that the overlay brings; no path of this machine is in it */
} spec_package;

/* The package of a plan. What is wrong with the vendor's texts is reported as a plan's findings
 * are. All memory is the plan's. SPEC_EREFUSED: the plan has findings of severity error, of before
 * or of now. */
int spec_package_new(spec_package *out, spec_plan *plan, spec_package_mode mode, spec_err *err);

/* The member at a path, or NULL. */
const spec_member *spec_package_find(const spec_package *package, const char *path);

/* "trunk", "vendor", "made". */
const char *spec_origin_name(spec_origin origin);

/* Makes <out>/triton exactly this package: links to the trunk's files but for modules, copies of
 * the vendor's, made texts. What is right already is left alone, what is not wanted is removed. */
int spec_package_write(const spec_package *package, const char *out, spec_err *err);

/* Both for a plan's package as a build ships it, baked; removes <out> when the overlay has no
 * Python file. write false: all is looked at, and nothing is changed. */
int spec_package_update(spec_plan *plan, const char *out, bool write, spec_err *err);

/* --- the user's cache --- */

/* A stage: a published package. The holder keeps it from being removed. */
typedef struct spec_stage_hold {
  const char *path; /* <cache>/stages/<key>: it holds triton/, manifest.json, lines.json */
  char key[33];
  bool fresh; /* this call has made it */
  int lock;   /* for spec_stage_release() */
} spec_stage_hold;

/* The folder of the cache: $TRITON_SPEC_CACHE, else $XDG_CACHE_HOME/triton-spec, else
 * $HOME/.cache/triton-spec. SPEC_EINVAL: none of them is set. */
int spec_cache_folder(spec_arena *arena, const char **out, spec_err *err);

/* The key of the plan's live stage: over everything that the stage depends on. */
int spec_package_key(char out[33], spec_plan *plan, spec_err *err);

/* Makes the stage of a plan below `cache` unless it is there, and takes hold of it. The folder
 * appears by one rename; of two processes that make the same one, one wins. A process that is
 * killed leaves nothing that counts.
 * SPEC_EREFUSED as spec_package_new(); SPEC_EIO: the cache cannot be written. */
int spec_package_publish(spec_stage_hold *out, spec_plan *plan, const char *cache, spec_err *err);
void spec_stage_release(spec_stage_hold *hold);

/* The stage of the plan that these options give. Within a millisecond or two when nothing that such
 * a plan looked at has changed since the last one. out->path is the arena's; errors and findings
 * are those of the plan and of publishing it. */
int spec_stage_open(spec_stage_hold *out, spec_arena *arena, const spec_options *options,
                    const char *cache, spec_err *err);

#endif
