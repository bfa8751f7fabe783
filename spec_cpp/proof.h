/* proof.h: for each override, which outputs read it, and which read what it shadows. */
#ifndef SPEC_CPP_PROOF_H
#define SPEC_CPP_PROOF_H

#include "base/json.h"
#include "core/finding.h"
#include "core/tree.h"
#include "ninja_build.h"
#include "ninja_deps.h"

/* One override, as the manifest records it, and who used it. */
typedef struct spec_proof {
  const char *trunk;  /* below the trunk */
  const char *vendor; /* absolute */
  const char *kind, *action;
  json_t *record; /* the manifest's own item, borrowed */
  const char **outputs;
  size_t output_count, output_cap;
  bool pending; /* an owner is not fully built yet */
} spec_proof;

typedef struct spec_verifying {
  spec_arena *arena;
  const char *build, *stage, *trunk, *trunk_real;
  json_t *manifest;
  spec_proof *proofs; /* sorted by trunk path */
  size_t proof_count;
  spec_map *by_trunk;  /* trunk path -> spec_proof */
  spec_map *by_vendor; /* vendor path -> spec_proof */
  spec_map *edges;     /* live output -> spec_ninja_edge */
  spec_map *shadowed;  /* "override\nincluder" that was reported */
  spec_ninja_deps deps;
  spec_reporter report;
} spec_verifying;

typedef enum spec_touch {
  SPEC_TOUCH_NONE,
  SPEC_TOUCH_USED,    /* the vendor's file, through the stage or directly */
  SPEC_TOUCH_SHADOWED /* the trunk's file that an override stands for */
} spec_touch;

/* What reading a file (absolute, normal) means, and for which override. */
spec_touch spec_verify_touch(const spec_verifying *v, spec_proof **out, const char *path);
/* The output read the override's file. */
int spec_verify_use(spec_verifying *v, spec_proof *proof, const char *output, spec_err *err);
/* The output read the trunk's file in spite of it; includer is "file:line" or "". */
int spec_verify_shadow(spec_verifying *v, const spec_proof *proof, const char *output,
                       const char *includer, spec_err *err);

#endif
