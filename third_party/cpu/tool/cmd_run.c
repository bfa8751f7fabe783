/* cmd_run.c: `ttcpu run` runs a kernel, given as a module or as a library, over a grid. */
#define _GNU_SOURCE
#include "argument.h"
#include "compiler/emit.h"
#include "runtime/launch.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS_MOST 1024

/* How it is to run. */
typedef struct run_options {
  bool strict, cooperative;
  const char *rt, *grid, *threads;
} run_options;

/* A number from least to most at *text, which is then moved behind it. */
static bool take_number(const char **text, int32_t least, int32_t most, int32_t *out) {
  char *end = NULL;
  errno = 0;
  long number = strtol(*text, &end, 10);
  if (end == *text || errno != 0 || number < least || number > most)
    return false;
  *out = (int32_t)number;
  *text = end;
  return true;
}

static int read_grid(int32_t grid[3], const char *text) {
  const char *at = text;
  size_t count = 0;
  bool good = true;
  grid[0] = grid[1] = grid[2] = 1;
  while (good && count < 3 && (count == 0 || *at == ',')) {
    at += count > 0;
    good = take_number(&at, 0, INT32_MAX, &grid[count++]);
  }
  if (!good || *at != '\0')
    return tool_fail("--grid '%s': wanted are one to three numbers, as in 8 or 8,2,1", text);
  if (grid[2] > 0 && (int64_t)grid[0] * grid[1] > INT64_MAX / grid[2])
    return tool_fail("--grid '%s': that are too many programs", text);
  return TOOL_OK;
}

static int read_options(tr_launch *out, const run_options *options) {
  const char *at = options->threads;
  int32_t threads = 0;
  int status = options->grid != NULL ? read_grid(out->grid, options->grid) : TOOL_OK;
  if (status == TOOL_OK && at != NULL && options->cooperative)
    status = tool_fail("--cooperative has a thread for each program: leave --threads out");
  out->cooperative = options->cooperative;
  if (status != TOOL_OK || at == NULL)
    return status;
  if (!take_number(&at, 1, THREADS_MOST, &threads) || *at != '\0')
    return tool_fail("--threads '%s': wanted is a number from 1 to %d", at, THREADS_MOST);
  out->threads = (unsigned)threads;
  return TOOL_OK;
}

/* Turns a module into a library; what is one already stays as it is. */
static int make_library(tool_source *source, const run_options *options) {
  tc_text c = {0};
  tool_source library = {0};
  if (source->text.len >= 4 && memcmp(source->text.data, "\177ELF", 4) == 0)
    return TOOL_OK;
  int status = tool_translate(&c, source, tc_emit_c, options->strict);
  if (status == TOOL_OK)
    status = tool_build(&library, &c, options->rt);
  tc_text_free(&c);
  tc_text_free(&source->text);
  source->text = library.text;
  return status;
}

/* Loads a library by a file that is there for a moment only. */
static int load(void **out, const tool_source *library) {
  tc_text path = {0};
  int status = tool_temporary(&path, "ttcpu-kernel"), file = -1;
  if (status == TOOL_OK && (file = mkstemp(path.data)) < 0)
    status = tool_fail("cannot make the file '%s': %s", path.data, strerror(errno));
  if (file >= 0) {
    (void)close(file);
    status = tool_write(path.data, &library->text);
    *out = status == TOOL_OK ? dlopen(path.data, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (status == TOOL_OK && *out == NULL)
      status = tool_fail("%s cannot be loaded: %s", library->name, dlerror());
    (void)unlink(path.data);
  }
  tc_text_free(&path);
  return status;
}

static int find_kernel(const tt_kernel **out, void *library, const tool_source *source) {
  const tt_kernel *kernel = dlsym(library, "ttcpu_kernel");
  if (kernel == NULL)
    return tool_fail("%s has no symbol 'ttcpu_kernel': ttcpu did not make it", source->name);
  if (kernel->abi != TT_ABI)
    return tool_fail("%s is of ABI %u, this ttcpu of %d: compile it again", source->name,
                     kernel->abi, TT_ABI);
  *out = kernel;
  return TOOL_OK;
}

/* What an argument must be for a letter of tt_kernel.params. */
static const char *wanted(char letter) {
  switch (letter) {
  case 'p':
    return "an array, as in f32[8]=0";
  case 'b':
    return "i8, u8 or i1";
  case 'h':
    return "i16 or u16";
  case 'w':
    return "i32 or u32";
  case 'q':
    return "i64 or u64";
  case 'H':
    return "f16";
  case 'B':
    return "bf16";
  case 'f':
    return "f32";
  case 'd':
    return "f64";
  case 'e':
    return "a float of 8 bits, as f8E5M2";
  default:
    return "something that this ttcpu does not know";
  }
}

static int read_arguments(tool_argument *arguments, const tt_kernel *kernel, char **words) {
  for (size_t i = 0; i < kernel->param_count; i++) {
    tool_argument *a = &arguments[i];
    int status = tool_argument_read(a, words[i], i + 1);
    if (status != TOOL_OK)
      return status;
    if ((a->is_array ? 'p' : a->type.letter) != kernel->params[i])
      return tool_fail("argument %zu, '%s': '%s' takes %s there", i + 1, words[i], kernel->name,
                       wanted(kernel->params[i]));
  }
  return TOOL_OK;
}

static int launch(tr_launch *launch, const tool_argument *arguments, const void **params) {
  const tt_kernel *kernel = launch->kernel;
  tr_failure failure;
  for (size_t i = 0; i < kernel->param_count; i++)
    params[i] = arguments[i].is_array ? (const void *)&arguments[i].data : arguments[i].data;
  launch->params = params;
  int rc = tr_launch_run(launch, &failure);
  if (rc == TR_OK)
    return TOOL_OK;
  if (rc == TR_ETHREADS)
    return tool_fail("--cooperative: there are no threads for all programs of '%s': make the "
                     "--grid smaller",
                     kernel->name);
  if (rc != TR_EASSERT)
    return tool_fail("no memory for the %zu bytes that a program of '%s' needs", kernel->frame,
                     kernel->name);
  (void)tool_fail("program (%d, %d, %d) of '%s' fails: %s", (int)failure.id[0], (int)failure.id[1],
                  (int)failure.id[2], kernel->name, failure.message);
  return TOOL_REFUSED;
}

/* Runs the kernel with the words as arguments, and shows what these have become. */
static int run(tr_launch *how, int count, char **words) {
  const tt_kernel *kernel = how->kernel;
  size_t wanted_count = kernel->param_count;
  if ((size_t)count != wanted_count)
    return tool_fail("'%s' takes %zu arguments (%s), not %d", kernel->name, wanted_count,
                     kernel->params, count);
  tool_argument *arguments = calloc(wanted_count + 1, sizeof *arguments);
  const void **params = calloc(wanted_count + 1, sizeof *params);
  tc_text out = {0};
  int status = arguments == NULL || params == NULL ? tool_fail("out of memory")
                                                   : read_arguments(arguments, kernel, words);
  if (status == TOOL_OK)
    status = launch(how, arguments, params);
  for (size_t i = 0; status == TOOL_OK && i < wanted_count; i++)
    status = tool_argument_show(&arguments[i], &out);
  if (status == TOOL_OK)
    status = tool_write(NULL, &out);
  for (size_t i = 0; arguments != NULL && i < wanted_count; i++)
    tool_argument_dispose(&arguments[i]);
  tc_text_free(&out);
  free(params);
  free(arguments);
  return status;
}

int cmd_run(int argc, char **argv) {
  run_options options = {0};
  const tool_option table[] = {{"--grid", NULL, &options.grid},
                               {"--threads", NULL, &options.threads},
                               {"--cooperative", &options.cooperative, NULL},
                               {"--strict", &options.strict, NULL},
                               {"--rt", NULL, &options.rt},
                               {NULL, NULL, NULL}};
  int words = tool_options(argc, argv, table);
  if (words < 0)
    return TOOL_FAILED;
  if (words == 0)
    return tool_fail("run wants a FILE, then the kernel's arguments: see ttcpu --help");
  tool_source source = {0};
  void *library = NULL;
  tr_launch how = {.grid = {1, 1, 1}, .threads = tr_processor_count()};
  int status = read_options(&how, &options);
  if (status == TOOL_OK)
    status = tool_slurp(&source, argv[0]);
  if (status == TOOL_OK)
    status = make_library(&source, &options);
  if (status == TOOL_OK)
    status = load(&library, &source);
  if (status == TOOL_OK)
    status = find_kernel(&how.kernel, library, &source);
  if (status == TOOL_OK)
    status = run(&how, words - 1, argv + 1);
  if (library != NULL)
    (void)dlclose(library);
  tc_text_free(&source.text);
  return status;
}
