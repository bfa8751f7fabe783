/* options.c: one table a command drives parsing and help. */
#include "cli/cli.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/path.h"
#include <string.h>

static void *field(spec_cli_args *args, const spec_cli_option *option) {
  return (char *)args + option->offset;
}

static int append(spec_arena *arena, const char ***items, size_t *count, const char *word,
                  spec_err *err) {
  const char **grown =
      spec_arena_grow(arena, *items, *count * sizeof word, (*count + 1) * sizeof word);
  if (grown == NULL)
    return spec_fail_memory(err);
  *items = grown;
  grown[(*count)++] = word;
  return SPEC_OK;
}

static int set(spec_cli *cli, const spec_cli_option *option, const char *value, spec_err *err) {
  switch (option->type) {
  case SPEC_CLI_SWITCH:
    *(bool *)field(&cli->args, option) = true;
    return SPEC_OK;
  case SPEC_CLI_TEXT:
    *(const char **)field(&cli->args, option) = value;
    return SPEC_OK;
  default:
    return append(cli->arena, &cli->args.roots, &cli->args.root_count, value, err);
  }
}

static const spec_cli_option *find(const spec_command *command, const char *word, size_t len) {
  for (size_t i = 0; i < command->option_count; i++)
    if (strlen(command->options[i].name) == len &&
        strncmp(command->options[i].name, word, len) == 0)
      return &command->options[i];
  return NULL;
}

static int unknown(const spec_command *command, const char *word, spec_err *err) {
  const char *near = NULL;
  size_t best = 4;
  for (size_t i = 0; i < command->option_count; i++) {
    size_t distance = spec_path_distance(word, command->options[i].name, best);
    if (distance < best) {
      best = distance;
      near = command->options[i].name;
    }
  }
  spec_fail(err, SPEC_EINVAL, "'%s' has no option '%s'", command->name, word);
  return near != NULL ? spec_fail_mend(err, "did you mean '%s'?", near)
                      : spec_fail_mend(err, "see 'triton-spec %s --help'", command->name);
}

/* Parses argv[*i], and argv[*i + 1] when it is the option's value. */
static int parse_option(spec_cli *cli, const spec_command *command, int argc, char **argv, int *i,
                        spec_err *err) {
  const char *word = strcmp(argv[*i], "-o") == 0 ? "--out" : argv[*i]; /* as compilers have it */
  const char *equals = strchr(word, '=');
  size_t len = equals != NULL ? (size_t)(equals - word) : strlen(word);
  const spec_cli_option *option = find(command, word, len);
  if (option == NULL)
    return unknown(command, word, err);
  if (option->type == SPEC_CLI_SWITCH && equals != NULL)
    return spec_fail(err, SPEC_EINVAL, "'%s' takes no value", option->name);
  const char *value = equals != NULL ? equals + 1 : NULL;
  if (option->type != SPEC_CLI_SWITCH && value == NULL) {
    if (*i + 1 == argc)
      return spec_fail(err, SPEC_EINVAL, "'%s' needs a value: %s", option->name, option->value);
    value = argv[++*i];
  }
  return set(cli, option, value, err);
}

static int check_words(const spec_cli *cli, const spec_command *command, spec_err *err) {
  size_t n = cli->args.word_count;
  if (cli->args.help || (n >= command->min_words && n <= command->max_words))
    return SPEC_OK;
  if (n > command->max_words)
    spec_fail(err, SPEC_EINVAL, "'%s' does not take '%s'", command->name,
              cli->args.words[command->max_words]);
  else
    spec_fail(err, SPEC_EINVAL, "'%s' needs more words", command->name);
  return spec_fail_mend(err, "usage: triton-spec %s %s", command->name, command->usage);
}

/* A program's own command line begins with a word, or with a short option like -m. */
static bool is_option(const char *word, bool program) {
  return word[0] == '-' && word[1] != '\0' && (!program || word[1] == '-');
}

int spec_cli_parse(spec_cli *cli, const spec_command *command, int argc, char **argv,
                   spec_err *err) {
  bool options = true, program = command->max_words == SPEC_CLI_PROGRAM;
  int rc = 0;
  for (int i = 0; rc == 0 && i < argc; i++) {
    if (options && strcmp(argv[i], "--") == 0)
      options = false;
    else if (options && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0))
      cli->args.help = true;
    else if (options && is_option(argv[i], program))
      rc = parse_option(cli, command, argc, argv, &i, err);
    else {
      options &= !program;
      rc = append(cli->arena, &cli->args.words, &cli->args.word_count, argv[i], err);
    }
  }
  return rc != 0 ? rc : check_words(cli, command, err);
}

void spec_cli_usage(spec_buf *out, const spec_command *command) {
  spec_buf_printf(out, "usage: triton-spec %s %s\n\n%s\n\noptions:\n", command->name,
                  command->usage, command->summary);
  for (size_t i = 0; i < command->option_count; i++) {
    const spec_cli_option *o = &command->options[i];
    spec_buf left = {0};
    spec_buf_printf(&left, "%s%s%s", o->name, o->value != NULL ? " " : "",
                    o->value != NULL ? o->value : "");
    spec_buf_printf(out, "  %-22s %s\n", spec_buf_text(&left), o->help);
    spec_buf_dispose(&left);
  }
  spec_buf_printf(out, "  %-22s %s\n", "--help", "show this text");
}
