/* signature.h: whether a function still takes every call that another one takes. */
#ifndef SPEC_PACKAGE_SIGNATURE_H
#define SPEC_PACKAGE_SIGNATURE_H

#include "package/py_module.h"

typedef enum spec_parameter_kind {
  SPEC_PARAMETER_POSITIONAL, /* before "/" */
  SPEC_PARAMETER_ANY,
  SPEC_PARAMETER_NAMED, /* behind "*" */
  SPEC_PARAMETER_REST,  /* *args */
  SPEC_PARAMETER_WORDS  /* **kwargs */
} spec_parameter_kind;

typedef struct spec_parameter {
  spec_py_text name;
  spec_parameter_kind kind;
  bool has_default;
  size_t twin; /* while two signatures are compared: that of the same name in the other; SIZE_MAX */
} spec_parameter;

typedef struct spec_signature {
  spec_parameter *items;
  size_t count;
} spec_signature;

/* The parameters of a function. Of a method the first one, which no caller names, counts as
 * positional. Only memory fails. */
int spec_signature_read(spec_signature *out, spec_arena *arena, const spec_py_module *module,
                        const spec_py_statement *function, bool method, spec_err *err);

/* *why: what keeps `now` from taking a call that `before` takes, for a message, or NULL: it takes
 * them all. Annotations and the values of defaults do not matter. Fills in the twins of both. Only
 * memory fails. */
int spec_signature_compare(const char **why, spec_arena *arena, spec_signature *before,
                           spec_signature *now, spec_err *err);

#endif
