/*
 * spec.h: the whole public interface of the triton-spec engine.
 *
 * The engine compares a *trunk* (an upstream source tree that nobody edits)
 * with a *backend* (a vendor's folder of overrides) and makes a *plan*: which
 * vendor file stands for which trunk file.  The build side (spec_cpp.h) turns
 * a plan into a stage, a CMake script and a log.
 *
 * Conventions
 *   - Functions return SPEC_OK (0) or a negative code; the out parameter comes
 *     first and the error last.  On failure the out parameter is untouched.
 *   - Strings are NUL-terminated bytes in the file system's own encoding;
 *     paths use '/'.  Nothing is ever written below a trunk or an overlay.
 *   - Everything that a plan points at lives in the plan's arena and dies with
 *     spec_plan_free().
 *   - The library prints nothing and never exits.  What it finds it says
 *     through spec_options.on_event.
 */
#ifndef SPEC_H
#define SPEC_H

#include <stdbool.h>
#include <stddef.h>

#define SPEC_VERSION "0.1.0"

/* Result codes.  The exit status of the command line follows from them:
 * SPEC_EREFUSED is 1 (findings), any other negative code is 2. */
enum {
  SPEC_OK = 0,
  SPEC_ENOMEM = -1,     /* out of memory */
  SPEC_EIO = -2,        /* the operating system refused; message has its reason */
  SPEC_EINVAL = -3,     /* a wrong call or option */
  SPEC_ENOTFOUND = -4,  /* no such trunk, overlay root or backend */
  SPEC_EAMBIGUOUS = -5, /* two answers where there must be one */
  SPEC_EPARSE = -6,     /* a file of ours or the vendor's does not parse */
  SPEC_EREFUSED = -7,   /* the overlay has findings of severity error */
  SPEC_EBUSY = -8       /* another run works in the build folder */
};

/* What went wrong: code, message, place and mend.  A fixed buffer, so that
 * reporting never allocates; longer texts are cut with an ellipsis. */
typedef struct spec_err {
  int code;         /* one of the codes above, 0 when unused */
  char what[1536];  /* the message, without place or mend */
  char where[1024]; /* file or "file:line", "" when there is none */
  char mend[768];   /* what to do about it, "" when there is nothing to say */
} spec_err;

typedef enum spec_severity {
  SPEC_NOTE,    /* for the log only */
  SPEC_WARNING, /* works, but look at it */
  SPEC_ERROR    /* the plan is refused */
} spec_severity;

/* One finding.  The text log, JSON and any other report render this. */
typedef struct spec_event {
  spec_severity severity;
  const char *code;    /* stable short name, e.g. "redundant"; see core/finding.h */
  const char *where;   /* vendor or trunk file, absolute; may hold ":line" */
  const char *message; /* what is wrong */
  const char *mend;    /* what to do */
} spec_event;

typedef void spec_event_fn(void *user, const spec_event *event);

/* The kinds of file that an override can stand for (table in core/kind.c). */
typedef enum spec_kind {
  SPEC_KIND_SOURCE, /* .c .cc .cpp .cxx: compiled in place of the trunk's */
  SPEC_KIND_HEADER, /* .h .hpp .inc .def: every includer sees it */
  SPEC_KIND_TD,     /* .td: TableGen definitions, nested ones too */
  SPEC_KIND_CMAKE,  /* CMakeLists.txt, *.cmake */
  SPEC_KIND_PYTHON, /* below spec/triton: a module or data file of the package */
  SPEC_KIND_OTHER   /* anything else; refused below spec_cpp */
} spec_kind;

typedef enum spec_action {
  SPEC_REPLACE, /* stands for a trunk file of the same path */
  SPEC_ADD,     /* the trunk has no such file */
  SPEC_REMOVE,  /* spec.ini [remove]: the trunk's file is not built */
  SPEC_HOOKS,   /* spec/triton/__init__.py: the registry of the backend's hooks, which the package
                   gets as triton/spec/<backend>/triton; never an override of triton/__init__.py */
  SPEC_PATCH    /* X.patch: a unified diff of X as the trunk or the layers below have it */
} spec_action;

/* Which policy allows a Python override, see docs/reference/spec-ini.md. */
typedef enum spec_policy {
  SPEC_POLICY_WHOLE,  /* the vendor's file replaces the trunk's */
  SPEC_POLICY_MERGE,  /* its definitions are merged into the trunk's module */
  SPEC_POLICY_CLOSED, /* refused */
  SPEC_POLICY_NONE    /* not a Python override */
} spec_policy;

/* One layer of a plan: a backend's folder.  Layer 0 is the outermost base. */
typedef struct spec_layer {
  const char *name; /* e.g. "acme" */
  const char *dir;  /* <overlay root>/<name>, absolute, links not resolved */
} spec_layer;

/* One override. */
typedef struct spec_override spec_override;
struct spec_override {
  spec_kind kind;
  spec_action action;
  spec_policy policy;
  const char *trunk;          /* path below the trunk, e.g. "lib/Dialect/X/A.cpp" */
  const char *vendor;         /* absolute path of the vendor's file; of spec.ini for a removal */
  const char *overlay;        /* that path below the layer's folder, "spec_cpp/lib/..." */
  size_t layer;               /* index into spec_plan_layers() */
  const char *owners;         /* filled by placing: target names joined by ';', or "" */
  const spec_override *below; /* that of a lower layer which it wins over, or NULL */
  bool in_trunk;              /* the trunk has a file at that path */
  /* What a patch makes of a file that builds read (core/plan_patch.h); else NULL. */
  const struct spec_patched_file *patched;
};

/* What becomes of an override whose trunk file is not the one that spec.lock names. */
typedef enum spec_drift {
  SPEC_DRIFT_DEFAULT, /* what spec.ini says, or else a warning */
  SPEC_DRIFT_IGNORE,  /* spec.lock is not read */
  SPEC_DRIFT_WARN,
  SPEC_DRIFT_ERROR
} spec_drift;

/* A trunk file that has changed since an override was made against it. */
typedef struct spec_changed {
  const char *trunk;   /* its path below the trunk */
  const char *blob;    /* git's id of what it was */
  long added, removed; /* lines, to be filled in; negative: not known */
} spec_changed;

/* Counts the lines that changed. What cannot be counted stays negative, and *reason says why. Fails
 * with SPEC_ENOMEM only. */
typedef int spec_count_lines_fn(void *user, spec_changed *files, size_t count, const char **reason,
                                spec_err *err);

/* What to plan.  Zero-initialise, then set what is known. */
typedef struct spec_options {
  const char *trunk;        /* root of the trunk; required */
  bool installed;           /* the trunk is no source tree but an installed package: the folder that
                               holds triton/, as site-packages does. Only the layers' Python files
                               are planned then, and trunk paths begin with "triton/" */
  const char *backend;      /* as in FLAGTREE_BACKEND; required */
  const char *const *roots; /* overlay roots, first to last; none: <trunk>/third_party */
  size_t root_count;        /* none for an installed package: there is no usual one */
  bool trace;               /* keep what is looked at, so that spec_build_check() can tell later
                               whether anything of it changed */
  bool strict_redundant;    /* an override identical to the trunk file is an error
                               (default of the command line), not a warning */
  bool strict_signatures; /* a merged function that does not take all calls which the trunk's takes
                             is an error, not a warning */
  spec_drift drift;
  spec_count_lines_fn *count_lines; /* asked once, and only when something drifted; may be NULL */
  void *count_user;
  spec_event_fn *on_event; /* may be NULL */
  void *user;
} spec_options;

typedef struct spec_plan spec_plan;

/* Finds the backend and its layers, walks them, matches every file against
 * the trunk and checks all rules.  Every finding is reported through
 * on_event, not only the first.
 * Returns SPEC_EREFUSED when a finding of severity error was reported; *out is
 * then still set, so that a report can show the rest, and must be freed. */
int spec_plan_new(spec_plan **out, const spec_options *options, spec_err *err);
void spec_plan_free(spec_plan *plan);

/* The trunk's root: as given, made absolute, without "." and "..". */
const char *spec_plan_trunk(const spec_plan *plan);
/* The name of the outermost backend, as asked for. */
const char *spec_plan_backend(const spec_plan *plan);
/* Layers, base first; *count is their number (at least 1). */
const spec_layer *spec_plan_layers(const spec_plan *plan, size_t *count);
/* Overrides sorted by trunk path (bytewise), one for each path: the winner. */
const spec_override *spec_plan_overrides(const spec_plan *plan, size_t *count);
/* The override of a trunk path, or NULL. */
const spec_override *spec_plan_find(const spec_plan *plan, const char *trunk_path);

/* Names for reports: "source", "replace", "whole", ... */
const char *spec_kind_name(spec_kind kind);
const char *spec_action_name(spec_action action);
const char *spec_policy_name(spec_policy policy);
const char *spec_severity_name(spec_severity severity);
const char *spec_code_name(int code);

#endif
