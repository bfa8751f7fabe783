/* provoking.h: for test_finding.c, which provokes every finding that there is. */
#ifndef PROVOKING_H
#define PROVOKING_H

#include "core/finding.h"
#include "planning.h"

/* What the latest run said. */
extern findings found;

/* The finding was reported, once, with all of its message filled in and a place that ends in
 * `where`; its message holds `word`. */
void expect(spec_finding finding, spec_severity severity, const char *where, const char *word);
bool was_provoked(spec_finding finding);

/* provoking_merge.c: a test of all findings of merges. */
void test_merge_findings(void **state);

/* provoking_package.c: tests in a scratch folder. */
void test_findings_of_modules(void **state);
void test_findings_of_hooks(void **state);
void test_finding_no_cache_key(void **state);

/* provoking_lock.c: a test in a scratch folder. */
void test_lock_findings(void **state);

/* provoking_patch.c: a test in a scratch folder. */
void test_patch_findings(void **state);

#endif
