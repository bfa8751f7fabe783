/* wheels.h: toy wheels. */
#ifndef WHEELS_H
#define WHEELS_H

#include "package/wheel.h"
#include "unit.h"

/* A member. text NULL: a folder, whose name ends in '/', or RECORD, whose text is made. */
typedef struct wheel_file {
  const char *name, *text;
} wheel_file;

/* The text of a RECORD of these files; the last one's name is NULL. */
const char *record_of(spec_arena *arena, const wheel_file *files);
/* Writes a wheel of these files, with that RECORD (NULL: the right one). Dated 0x5C214860; what
 * lies in scripts/ can be executed. */
void put_wheel(spec_arena *arena, const char *at, const wheel_file *files, const char *record);

#endif
