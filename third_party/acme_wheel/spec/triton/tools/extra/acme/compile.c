/* The kernel @NAME@ for acme, and the shared memory that it needs, in bytes. */
const char *const @NAME@_chip = "roadrunner";
const int @NAME@_shared = @SHARED@;
const unsigned char @NAME@_binary[] = {@BYTES@};
