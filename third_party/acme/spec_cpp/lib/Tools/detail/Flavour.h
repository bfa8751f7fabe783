#ifndef TRITON_TOOLS_DETAIL_FLAVOUR_H
#define TRITON_TOOLS_DETAIL_FLAVOUR_H

#define TRITON_FLAVOUR "Acme" // found through a folder that only Version.cpp searches

#endif // TRITON_TOOLS_DETAIL_FLAVOUR_H
