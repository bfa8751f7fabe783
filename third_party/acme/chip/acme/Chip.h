#ifndef ACME_CHIP_H
#define ACME_CHIP_H

namespace acme {

/// Name of the chip. A header of the vendor's own: spec.cmake puts its folder on a target's include path.
inline constexpr const char *kChipName = "roadrunner";

} // namespace acme

#endif // ACME_CHIP_H
