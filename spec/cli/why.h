/* why.h: the two halves of `triton-spec why`. */
#ifndef SPEC_CLI_WHY_H
#define SPEC_CLI_WHY_H

#include "cli/cli.h"

/* Renders an answer, the document that --json prints, as text; all: without leaving units out. */
void spec_why_text(spec_buf *out, const json_t *answer, bool all);

#endif
