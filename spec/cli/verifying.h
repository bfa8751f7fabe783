/* verifying.h: verify, for the commands that end with it. */
#ifndef SPEC_CLI_VERIFYING_H
#define SPEC_CLI_VERIFYING_H

#include "cli/cli.h"

/* Verifies a build folder and prints the result; SPEC_EREFUSED when there are findings. */
int spec_cli_verify(spec_cli *cli, const char *build, spec_err *err);

#endif
