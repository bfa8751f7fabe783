/* compose.h: what an override of the package holds, once its layers are put together. */
#ifndef SPEC_PACKAGE_COMPOSE_H
#define SPEC_PACKAGE_COMPOSE_H

#include "package/package.h"

/* The texts that a package is made of, each read once: what was hashed is what is written. */
typedef struct spec_texts {
  spec_arena *arena;
  spec_map *read; /* absolute path -> text */
} spec_texts;

int spec_texts_new(spec_texts *out, spec_arena *arena, spec_err *err);
void spec_texts_free(spec_texts *texts);
/* Fills text, len, modified and executable of the member from its file. */
int spec_texts_fill(spec_texts *texts, spec_member *member, spec_err *err);

/* As spec_package_new(), of texts some of which may have been read before. */
int spec_package_of(spec_package *out, spec_texts *texts, spec_plan *plan, spec_package_mode mode,
                    spec_err *err);

/* Makes the member of an override, and of those below it: the vendor's file where its policy is to
 * replace; where it is to merge, the vendor's definitions merged into what the layers below, or the
 * trunk, have at that path; a patch applied to that. Broken rules are reported to the plan's
 * reporter; the member then has the vendor's text. */
int spec_compose(spec_member *member, spec_texts *texts, spec_plan *plan, const spec_override *o,
                 spec_err *err);

#endif
