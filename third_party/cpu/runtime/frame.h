/* frame.h: memory for the buffers of one program at a time, one a thread, kept between launches. */
#ifndef TTCPU_FRAME_H
#define TTCPU_FRAME_H

#include <stddef.h>

/* At least size bytes, aligned to 64, the calling thread's until its next call or its end; the
 * content is undefined. NULL when memory is out. A size of 0 gives NULL too. */
char *tr_frame(size_t size);
/* Gives the calling thread's frame back if it is so large that keeping it would be a waste. */
void tr_frame_trim(void);

#endif
