#include "triton/Tools/Checksum.h"

/* mini: CRC-32, which its hardware computes, instead of the trunk's Adler-32. */
uint32_t triton_checksum(const void *data, size_t size) {
  const unsigned char *bytes = data;
  uint32_t crc = ~UINT32_C(0);
  for (size_t i = 0; i < size; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit)
      crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xEDB88320) : 0);
  }
  return ~crc;
}
