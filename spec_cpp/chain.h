/* chain.h: the ways by which the include graph came to its answers. */
#ifndef SPEC_CPP_CHAIN_H
#define SPEC_CPP_CHAIN_H

#include "includes.h"
#include "scan.h"

/* One include. */
typedef struct spec_step {
  const char *from, *to;       /* ids */
  const spec_include *include; /* of from's text; NULL: none, the command line brings it in */
  const char *dir;             /* id of the folder of the search path; NULL: beside the includer */
} spec_step;

typedef struct spec_chain {
  spec_step *steps;
  size_t count;
  bool opaque; /* the last step includes by a macro, so that it may be any overridden header */
} spec_chain;

/* The shortest way from a loaded unit to a file; empty when it does not reach it.  A unit that
 * reaches it only as one of those that a macro may mean gets the way to that macro. */
int spec_graph_chain(spec_graph *graph, spec_chain *out, spec_unit_node *unit, const char *id,
                     spec_err *err);

typedef enum spec_staging {
  SPEC_STAGING_NONE,       /* it is not in the stage */
  SPEC_STAGING_OVERRIDDEN, /* the overlay has it */
  SPEC_STAGING_INCLUDES,   /* it finds an overridden file beside it; the chain leads there */
  SPEC_STAGING_MACRO,      /* it includes by a macro, beside an overridden header; one step */
  SPEC_STAGING_BESIDE,     /* a staged file finds it beside; one step */
  SPEC_STAGING_NEIGHBOUR,  /* it lies beside a staged file that includes by a macro; one step */
  SPEC_STAGING_NAMESAKE    /* a staged file of that name would come before it */
} spec_staging;

/* Why a closed graph has a file in the stage. */
int spec_graph_staging(const spec_graph *graph, spec_staging *out, spec_chain *chain,
                       const char *id, spec_err *err);

#endif
