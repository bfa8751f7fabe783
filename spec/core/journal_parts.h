/* journal_parts.h: what journal.c and journal_text.c share. */
#ifndef SPEC_CORE_JOURNAL_PARTS_H
#define SPEC_CORE_JOURNAL_PARTS_H

#include "base/buf.h"
#include "core/journal.h"

/* The journal's text.  SPEC_EREFUSED: a path that it cannot hold. */
int spec_journal_text_of(spec_buf *out, const spec_journal *journal, spec_err *err);

#endif
