/* rule.h: how a build comes to use an override: the rows of docs/reference/overlay.md. */
#ifndef SPEC_CORE_RULE_H
#define SPEC_CORE_RULE_H

#include "spec.h"

typedef struct spec_rule {
  const char *name; /* stable, e.g. "include-priority" */
  const char *text; /* what is done, as a sentence about the file */
} spec_rule;

const spec_rule *spec_rule_of(const spec_override *override);

/* Why the plan has the override at all, as a sentence. */
const char *spec_rule_reason(const spec_override *override);

#endif
