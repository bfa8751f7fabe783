/* verify.h: the two witnesses of what a build used. */
#ifndef SPEC_CPP_VERIFY_H
#define SPEC_CPP_VERIFY_H

#include "proof.h"

/* verify_units.c: objects, from the deps log.  verify_td.c: TableGen rules, from
 * their commands, since upstream's have no depfile. */
int spec_verify_units(spec_verifying *v, spec_err *err);
int spec_verify_tds(spec_verifying *v, spec_err *err);

#endif
