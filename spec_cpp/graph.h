/* graph.h: the inside of the include graph, shared by loading, closing and reaching. */
#ifndef SPEC_CPP_GRAPH_H
#define SPEC_CPP_GRAPH_H

#include "base/buf.h"
#include "includes.h"
#include "scan.h"

typedef struct node node;
typedef struct node_list {
  node **items;
  size_t count, cap;
} node_list;

/* A folder, and what names below it lead to: one look at the trees for each
 * name, however many search paths hold the folder. */
typedef struct folder {
  const char *id;
  spec_map *found; /* name -> node, or NULL */
} folder;

/* A file. */
struct node {
  const char *id;
  folder *dir;
  const spec_override *override;
  spec_includes includes;
  node **beside; /* for each include: the file found relative to this one, or NULL */
  node_list included_beside_by;
  bool scanned;
  bool opaque; /* includes something that only the preprocessor knows */
  bool must;   /* must be reached through the stage */
  bool staged; /* lies in the stage */
};

typedef struct edge {
  spec_unit_node *to;
  size_t via;     /* index of the context's folder, or BESIDE */
  size_t include; /* index into the includer's includes, or FORCED */
} edge;

enum { BESIDE = -1, FORCED = -1 };

/* A file in a context: what its includes resolve to there. */
struct spec_unit_node {
  node *file;
  spec_context *context;
  edge *edges;
  size_t edge_count;
  bool loaded;
  bool leads;     /* a staged file, or an opaque one, is reachable */
  size_t visited; /* the last walk that came here */
};

struct spec_context {
  folder **dirs;
  size_t dir_count;
  spec_map *found; /* include name -> edge target on the search path, or NULL */
  spec_map *files; /* id -> spec_unit_node */
  spec_unit_node **order;
  size_t order_count, order_cap;
  bool opaque; /* a file of it is */
};

struct spec_graph {
  spec_arena *arena;
  const spec_merged *view;
  spec_map *nodes;    /* id -> node */
  spec_map *folders;  /* id -> folder */
  spec_map *contexts; /* joined dirs -> spec_context */
  spec_context **all;
  size_t context_count, context_cap;
  const char **passed; /* folders that an include passes through: "passed/../x.h" */
  size_t passed_count, passed_cap;
  size_t walk;
};

/* What a name resolves to on a context's search path. */
typedef struct found {
  node *file;
  size_t via;
} found;

/* The node of an id, made when new. */
int spec_graph_node(spec_graph *g, node **out, const char *id, spec_err *err);
/* The node of dir/name when the view has it, else NULL. */
int spec_graph_look_up(spec_graph *g, node **out, folder *dir, const char *name, spec_err *err);
/* Reads the node's includes, once, and resolves those beside it. */
int spec_graph_scan(spec_graph *g, node *n, spec_err *err);

#endif
