/* explaining.h: shared by the parts of an explanation. */
#ifndef SPEC_CPP_EXPLAINING_H
#define SPEC_CPP_EXPLAINING_H

#include "base/json.h"
#include "chain.h"
#include "place.h"

typedef struct spec_explaining {
  spec_placing p;
  const char *path; /* what was asked about: an id of the merged view */
  spec_map *texts;  /* id -> its text, read for line numbers */
  json_t *manifest; /* as the last run left it */
  json_t *root;     /* the answer */
} spec_explaining;

/* {"file", "line", "found", "dir", "includes"} of each step; NULL without memory or when a file
 * cannot be read (err is set then). */
json_t *spec_explain_steps(spec_explaining *x, const spec_chain *chain, spec_err *err);

/* Adds "rules": the TableGen rules that read the path, each with the nested includes that lead
 * there. */
int spec_explain_tds(spec_explaining *x, spec_err *err);

#endif
