#include "package/merge.h"
