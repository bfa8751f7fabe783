#include "triton/Tools/Checksum.h"

uint32_t triton_checksum(const void *data, size_t size) {
  const uint32_t modulus = 65521; /* the greatest prime below 2^16 */
  const unsigned char *bytes = data;
  uint32_t low = 1, high = 0;
  for (size_t i = 0; i < size; ++i) {
    low = (low + bytes[i]) % modulus;
    high = (high + low) % modulus;
  }
  return high << 16 | low;
}
