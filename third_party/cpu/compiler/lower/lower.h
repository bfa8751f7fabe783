/* lower.h: from a module that was read to loop nests. */
#ifndef TTCPU_LOWER_H
#define TTCPU_LOWER_H

#include "tile/tile.h"

typedef struct tc_lower_options {
  bool strict; /* every load is kept in a buffer of its own before any store: right also where tiles
                  overlap in memory */
} tc_lower_options;

/* Lowers the module. The program has an arena of its own, but names of the module's types: free it
 * first. What cannot run on a CPU (inline assembly, Gluon's layouts, descriptors that no pass has
 * removed) is refused with its line. 0 or a negative code; on failure *out is untouched. */
int tc_lower(tc_program **out, const tc_module *module, const tc_lower_options *options,
             tc_err *err);

#endif
