/* merge_level.h: what the parts of the merge share. A level is the module, or the body of a class
 * that gets methods; what the vendor's level holds are items, and each gets a place in the trunk's.
 */
#ifndef SPEC_PACKAGE_MERGE_LEVEL_H
#define SPEC_PACKAGE_MERGE_LEVEL_H

#include "base/map.h"
#include "package/merge.h"
#include "package/py_module.h"

struct spec_item;
struct spec_level;

/* A change of the trunk's text: [from, to) goes, and something comes there. */
typedef struct spec_edit {
  size_t from, to;
  const struct spec_item *item; /* NULL: nothing, or the beginning of a class body comes */
  bool opens_body;
  const char *indent, *vendor_indent; /* of the lines that come, there and here */
  size_t indent_len, vendor_indent_len;
  size_t blanks;       /* empty lines around; behind only if the trunk has none */
  size_t first_blanks; /* before, if it is the first at its place */
  size_t gap;          /* empty lines between the parts of the item */
  size_t order;        /* among edits at one place */
} spec_edit;

/* The work on one pair of modules. */
typedef struct spec_merger {
  spec_arena *arena;
  spec_reporter *report;
  const spec_merge_input *input;
  spec_err *err;
  int rc; /* SPEC_ENOMEM when memory ran out */
  spec_py_module trunk, vendor;
  bool lazy_annotations; /* the trunk has `from __future__ import annotations` */
  spec_edit *edits;
  size_t edit_count, edit_cap;
  size_t changes; /* items that were put somewhere */
} spec_merger;

/* Where something is in the trunk's level: behind statement i - 1 and before i is 2 * i, instead of
 * i is 2 * i + 1. */
typedef size_t spec_place;

typedef enum spec_how {
  SPEC_HOW_INSTEAD, /* of the trunk's statement `target` */
  SPEC_HOW_BEHIND,  /* the trunk's statement `target` */
  SPEC_HOW_INTO,    /* the trunk's class `target`, as members */
  SPEC_HOW_NEW,     /* the trunk has nothing of that name */
  SPEC_HOW_IMPORT,  /* the same, among the imports */
  SPEC_HOW_LAST     /* no definition: at the end */
} spec_how;

/* Why an item may not be earlier, or not be later. */
typedef struct spec_reason {
  const spec_py_statement *statement; /* NULL: there is none */
  bool vendor;                        /* it is the vendor's */
  spec_py_text name;                  /* that it binds, or evaluates */
} spec_reason;

typedef struct spec_item {
  const spec_py_statement **parts; /* the vendor's, in their order; one, or a group */
  size_t part_count;
  spec_how how;
  size_t target;
  size_t defined; /* if behind because the trunk binds the name again: its definition */
  bool rebound;
  bool extends;                   /* an assignment to __all__ that adds to the trunk's */
  const spec_py_statement **gone; /* further statements of the trunk that it stands for */
  size_t gone_count;
  spec_place earliest, latest, place;
  spec_place early; /* before what may call it while the module runs, if it is new */
  spec_reason not_before, not_behind;
  size_t rank;             /* in an order in which whatever an item needs is before it */
  struct spec_need *needs; /* items that must come before */
  uint8_t visit;
} spec_item;

typedef struct spec_need {
  spec_item *item;
  spec_py_text name;
  struct spec_need *next;
} spec_need;

/* A statement, by its index, or an item that binds or uses a name. */
typedef struct spec_mention {
  size_t at;
  const spec_py_name *name;
  struct spec_mention *next;
} spec_mention;

typedef struct spec_mentions {
  spec_mention *first, *last; /* by `at`, ascending */
} spec_mentions;

/* A name that the vendor's level mentions. */
typedef struct spec_known {
  spec_py_text name;
  spec_mentions trunk_binds, trunk_uses; /* statements of the trunk's level */
  spec_mentions binds, uses;             /* items */
} spec_known;

typedef struct spec_level {
  spec_merger *m;
  spec_py_block trunk, vendor;
  uint16_t depth;     /* classes around */
  const char *indent; /* of the trunk's statements */
  size_t indent_len;
  const char *vendor_indent;
  size_t vendor_indent_len;
  spec_map *known; /* name -> spec_known */
  spec_item *items;
  size_t item_count;
  spec_item **order;     /* by rank */
  bool *replaced;        /* by statement of the trunk\'s: an item comes instead */
  spec_place first, end; /* of what is new: behind __future__; before `if __name__ == ...` */
  spec_place imports;    /* behind the imports that the level begins with */
  spec_place stars;      /* behind the last `import *` */
} spec_level;

/* merge.c */
/* "<path>:<line>" of the vendor's or the trunk's file; NULL when memory is out. */
const char *spec_merge_where(spec_merger *m, bool vendor, size_t line);
/* Reports at a line of the vendor's file. */
void spec_merge_report(spec_merger *m, spec_finding finding, size_t line, const char *a,
                       const char *b, const char *c);
/* The name as a string; "" when memory is out, which m->rc then says. */
const char *spec_merge_text(spec_merger *m, spec_py_text name);
const char *spec_merge_printf(spec_merger *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Zeroed; NULL when memory is out, which m->rc then says. */
void *spec_merge_alloc(spec_merger *m, size_t count, size_t size);
/* Merges one level: adds its edits. */
void spec_merge_level(spec_level *level);

/* merge_facts.c: questions about statements */
bool spec_same_text(spec_py_text a, spec_py_text b);
bool spec_is_text(spec_py_text a, const char *b);
/* Whether the tokens [first, last) of both are the same, whatever is between them. */
bool spec_same_tokens(const spec_py_module *a, size_t a_first, size_t a_last,
                      const spec_py_module *b, size_t b_first, size_t b_last);
bool spec_is_definition(const spec_py_statement *s);
bool spec_is_docstring(const spec_py_module *module, const spec_py_statement *s);
/* Whether a statement imports, or tries to: alone, under TYPE_CHECKING, or in `try`. */
bool spec_is_import(const spec_py_module *module, const spec_py_statement *s);
bool spec_is_star_import(const spec_py_module *module, const spec_py_statement *s);
bool spec_is_future_import(const spec_py_module *module, const spec_py_statement *s);
/* `if __name__ == ...` */
bool spec_is_main_guard(const spec_py_module *module, const spec_py_statement *s);
/* Whether a statement does nothing: pass, ... or a constant. */
bool spec_is_idle(const spec_py_module *module, const spec_py_statement *s);
bool spec_binds(const spec_py_statement *s, spec_py_text name);
bool spec_uses(const spec_py_statement *s, spec_py_text name);
/* The name that a definition defines. */
spec_py_text spec_defined(const spec_py_statement *s);
/* Whether two statements in a row that define one name are one definition: the first an overload,
 * or the second an accessor of the property before. */
bool spec_continues(const spec_py_module *module, const spec_py_statement *before,
                    const spec_py_statement *s);
/* Whether it is the setter, getter or deleter of a property before it. */
bool spec_is_accessor(const spec_py_module *module, const spec_py_statement *s);
/* The decorators as they are written, joined by ", "; NULL when memory is out. */
const char *spec_decorators(spec_merger *m, const spec_py_module *module,
                            const spec_py_statement *s);
/* Whether the vendor's definition bears that mark, which counts as heeded then. */
bool spec_marked(spec_merger *m, const char *word, const spec_py_statement *s);

/* merge_items.c: the vendor's statements as items, without those that say nothing */
void spec_items(spec_level *level);
/* merge_known.c */
void spec_known_names(spec_level *level);
spec_known *spec_known_of(const spec_level *level, spec_py_text name);
/* Whether a use counts on this level. */
bool spec_counts(const spec_level *level, const spec_py_name *use);
/* Whether an item that evaluates the name before the vendor's level binds it means the trunk's: an
 * assignment does, `old = f`, and a definition does not. */
bool spec_means_trunks(const spec_known *known, const spec_item *user);
/* merge_place.c: how each item comes in */
void spec_item_hows(spec_level *level);
/* merge_reach.c: what of it may be needed early */
void spec_reach(spec_level *level);
/* merge_order.c: and where */
void spec_item_places(spec_level *level);
/* merge_class.c: a class of the vendor's that only gives members to the trunk's */
void spec_place_class(spec_level *level, spec_item *item);
void spec_merge_class(spec_level *around, const spec_item *item);
/* merge_edits.c: what that changes in the trunk's text */
void spec_item_edits(spec_level *level);
/* The class body in [from, to) of the trunk's text, on the line of its class, is to have lines of
 * its own. */
void spec_edit_body(const spec_level *inner, size_t from, size_t to);
/* merge_write.c */
int spec_merge_write(spec_merged *out, spec_merger *m);

#endif
