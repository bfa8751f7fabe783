/* ttrt_all.h: whatever a kernel may include, for triton_cpu/_headers.py to have it read once; no
 * kernel includes it. */
#ifndef TTRT_ALL_H
#define TTRT_ALL_H

#include "ttmlir.h"

/* What follows needs what is above. */
#include "ttrt_atomic.h"
#include "ttrt_dot.h"
#include "ttrt_float.h"
#include "ttrt_int.h"
#include "ttrt_math.h"
#include "ttrt_scan.h"
#include "ttrt_trig.h"

#endif
