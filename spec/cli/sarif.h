/* sarif.h: findings as SARIF 2.1.0, which code review tools and editors read. */
#ifndef SPEC_CLI_SARIF_H
#define SPEC_CLI_SARIF_H

#include "base/arena.h"
#include "base/json.h"

/* A log of one run with these findings (an array of what spec_event_json() makes). Files below
 * `folder`, which is absolute, are told relative to it. */
int spec_sarif_new(json_t **out, spec_arena *arena, const json_t *findings, const char *folder,
                   spec_err *err);

#endif
