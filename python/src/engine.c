/* engine.c: the engine's operations as Python functions. */
#include "spec_python.h"

PyMethodDef spec_engine_methods[] = {
    {NULL, NULL, 0, NULL},
};
