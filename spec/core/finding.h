/* finding.h: every rule that an overlay can break, with its message and mend. */
#ifndef SPEC_CORE_FINDING_H
#define SPEC_CORE_FINDING_H

#include "base/arena.h"

typedef enum spec_finding {
  SPEC_F_ESCAPE,             /* {1} link, {2} its target */
  SPEC_F_LINK_LOOP,          /* {1} link */
  SPEC_F_DANGLING,           /* {1} link, {2} its text */
  SPEC_F_NOT_A_FILE,         /* {1} overlay path */
  SPEC_F_BAD_NAME,           /* {1} overlay path */
  SPEC_F_UNKNOWN_KIND,       /* {1} overlay path */
  SPEC_F_MISPLACED,          /* {1} overlay path, {2} where such files belong */
  SPEC_F_CASE_CLASH,         /* {1} overlay path, {2} the other spelling */
  SPEC_F_DUPLICATE,          /* {1} overlay path, {2} the other, {3} trunk path */
  SPEC_F_REDUNDANT,          /* {1} overlay path */
  SPEC_F_TRUNK_ESCAPE,       /* {1} trunk path, {2} its target */
  SPEC_F_TRUNK_NOT_FILE,     /* {1} overlay path, {2} trunk path */
  SPEC_F_TOP_CMAKE,          /* {1} overlay path */
  SPEC_F_MODULE_CLASH,       /* {1} overlay path, {2} trunk path */
  SPEC_F_CLOSED,             /* {1} overlay path, {2} policy's trunk path */
  SPEC_F_REMOVE_MISSING,     /* {1} trunk path, {2} nearest */
  SPEC_F_REMOVE_OVERRIDDEN,  /* {1} trunk path */
  SPEC_F_REMOVE_ELSEWHERE,   /* {1} trunk path */
  SPEC_F_OLD_LAYOUT,         /* {1} folder */
  SPEC_F_EMPTY_OVERLAY,      /* {1} backend folder */
  SPEC_F_LAYER_WINS,         /* {1} trunk path, {2} winning layer, {3} losing layer */
  SPEC_F_LAYER_MERGES,       /* {1} trunk path, {2} merging layer, {3} layer below */
  SPEC_F_LAYER_PATCHES,      /* {1} trunk path, {2} patching layer, {3} layer below */
  SPEC_F_PATCH_NO_FILE,      /* {1} overlay path, {2} trunk path, {3} nearest */
  SPEC_F_CONFLICT_MARKERS,   /* {1} overlay path */
  SPEC_F_POLICY_LOOSENED,    /* {1} trunk path, {2} policy now, {3} policy by default */
  SPEC_F_DRIFT,              /* {1} overlay path, {2} what happened to the trunk file */
  SPEC_F_UNLOCKED,           /* {1} overlay path */
  SPEC_F_LOCK_STALE,         /* {1} trunk path */
  SPEC_F_LOCK_BROKEN,        /* {1} what is wrong */
  SPEC_F_UPGRADE_UNFINISHED, /* {1} layer */
  /* found when the overlay is placed among a build's targets */
  SPEC_F_UNOWNED,        /* {1} overlay path, {2} nearest */
  SPEC_F_UNUSED,         /* {1} overlay path, {2} trunk path */
  SPEC_F_ALREADY_LISTED, /* {1} overlay path, {2} target, {3} trunk path */
  SPEC_F_TWO_ROOTS,      /* {1} overlay path, {2} first, {3} second trunk file */
  SPEC_F_NO_TARGET,      /* {1} target, {2} nearest */
  SPEC_F_NO_ADDITION,    /* {1} path named in spec.cmake, {2} target */
  SPEC_F_OUT_OF_REACH,   /* {1} file outside the trunk, {2} trunk header */
  SPEC_F_FIXED_INCLUDE,  /* {1} target, {2} trunk path */
  /* found in the records of a build */
  SPEC_F_SHADOWED, /* {1} output, {2} trunk path, {3} vendor file */
  SPEC_F_NOT_READ, /* {1} trunk path */
  /* found when a patch is applied: by the plan, to a module when the package is put together */
  SPEC_F_PATCH_BROKEN,     /* {1} what is wrong with it, {2} mend */
  SPEC_F_PATCH_MISFIT,     /* {1} what is wrong with a hunk, {2} mend */
  SPEC_F_PATCH_UPSTREAMED, /* {1} hunk, {2} trunk path, {3} line */
  SPEC_F_PATCH_DELETES,    /* {1} overlay path, {2} trunk path */
  SPEC_F_PATCH_MOVED,      /* {1} hunk, {2} trunk path, {3} lines and where to */
  SPEC_F_PATCH_LINE_ENDS,  /* {1} overlay path, {2} trunk path */
  /* found when the merged package is put together */
  SPEC_F_PATCH_SYNTAX,    /* {1} trunk path, {2} what is wrong */
  SPEC_F_MODULE_ENCODING, /* {1} what is wrong with it */
  SPEC_F_MODULE_SYNTAX,   /* {1} what is wrong with it */
  SPEC_F_HOOK_CALLED,     /* {1} hook, {2} path of the package */
  SPEC_F_HOOK_UNUSED,     /* {1} hook */
  SPEC_F_NO_CACHE_KEY,    /* {1}, {2} the modules that could */
  SPEC_F_IMPORTS_TOOL,    /* {1} overlay path */
  /* likewise, of Python modules that are merged */
  SPEC_F_MERGE_SYNTAX,    /* {1} what is wrong */
  SPEC_F_MERGE_ENCODING,  /* {1} what is wrong */
  SPEC_F_MERGE_EMPTY,     /* {1} overlay path */
  SPEC_F_MERGE_AMBIGUOUS, /* {1} name, {2} who defines it, {3} lines */
  SPEC_F_MERGE_REBOUND,   /* {1} name, {2} line that evaluates it, {3} line that binds it again */
  SPEC_F_MERGE_ORDER,     /* {1} name, {2} behind what, {3} before what */
  SPEC_F_MERGE_FUTURE,    /* {1} feature */
  SPEC_F_MERGE_NO_CLASS,  /* {1} class, {2} what the trunk has of that name */
  SPEC_F_MERGE_HEAD,      /* {1} class, {2} what differs */
  SPEC_F_MERGE_INDENT,    /* {1} class, {2} characters here, {3} characters there */
  SPEC_F_MERGE_MARK,      /* {1} what the comment says */
  SPEC_F_MERGE_SIGNATURE, /* {1} function, {2} why */
  SPEC_F_MERGE_DECORATOR, /* {1} name, {2} decorators */
  SPEC_F_MERGE_REDUNDANT, /* {1} name */
  SPEC_F_MERGE_ALL,
  SPEC_F_MERGE_STAR,
  SPEC_F_MERGE_BRANCH, /* {1} name, {2} line */
  SPEC_F_COUNT
} spec_finding;

/* Where findings go. */
typedef struct spec_reporter {
  spec_arena *arena;
  spec_event_fn *on_event; /* may be NULL */
  void *user;
  size_t errors; /* findings of severity error so far */
  bool failed;   /* memory ran out while reporting */
  size_t said;   /* findings of any severity so far */
} spec_reporter;

/* Reports one finding at `where`; a..c fill {1}..{3} and may be NULL when unused. */
void spec_report(spec_reporter *to, spec_finding finding, const char *where, const char *a,
                 const char *b, const char *c);
/* The same, but never an error: for options that soften a rule. */
void spec_report_soft(spec_reporter *to, spec_finding finding, const char *where, const char *a,
                      const char *b, const char *c);

/* SPEC_EREFUSED when the reporter has errors, SPEC_ENOMEM when it failed, else 0. */
int spec_reporter_result(const spec_reporter *from, spec_err *err);

/* A row of the table, for documentation, reports and tests. */
typedef struct spec_finding_row {
  const char *code; /* stable, e.g. "redundant" */
  spec_severity severity;
  const char *message, *mend; /* with {1} to {3} */
} spec_finding_row;

const spec_finding_row *spec_finding_describe(spec_finding finding);
const char *spec_finding_code(spec_finding finding);

#endif
