/* embedded.h: files of the repository that are part of the program, put there by cmake/embed.cmake.
 */
#ifndef SPEC_PACKAGE_EMBEDDED_H
#define SPEC_PACKAGE_EMBEDDED_H

/* The text of a file of python/baked/, NUL-terminated; NULL when there is no such file. */
const char *spec_embedded(const char *name);

/* A digest over the sources of the engine and those files: another one, another result. */
extern const char spec_engine_id[];

#endif
