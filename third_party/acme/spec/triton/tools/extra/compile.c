/* The kernel @NAME@ and the shared memory that it needs, in bytes. */
const char *const @NAME@_chip = "acme";
const int @NAME@_shared = @SHARED@;
const char *const @NAME@_text =
@TEXT@;
