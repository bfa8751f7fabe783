/* provoking.c */
#include "provoking.h"

#include <string.h>

findings found;
static bool provoked[SPEC_F_COUNT];

void expect(spec_finding finding, spec_severity severity, const char *where, const char *word) {
  const said *it = find_said(&found, spec_finding_code(finding));
  if (it == NULL)
    print_error("'%s' was not reported\n", spec_finding_code(finding));
  assert_non_null(it);
  if (it == NULL)
    return;
  provoked[finding] = true;
  assert_int_equal(it->severity, severity);
  size_t len = strlen(it->where), tail = strlen(where);
  assert_true(len >= tail);
  assert_string_equal(it->where + len - tail, where);
  assert_non_null(strstr(it->message, word));
  assert_null(strchr(it->message, '{'));
  assert_null(strchr(it->mend, '{'));
  assert_true(severity == SPEC_NOTE || it->mend[0] != '\0');
}

bool was_provoked(spec_finding finding) {
  return provoked[finding];
}
