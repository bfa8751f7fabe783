/* SHA-256 against the examples of FIPS 180-4, in the alphabet of wheels. */
#include "base/sha256.h"
#include "unit.h"

#include <string.h>

static void test_published_digests(void **state) {
  (void)state;
  static char million[1000000];
  memset(million, 'a', sizeof million);
  const struct {
    const char *data;
    size_t len;
    const char *digest;
  } cases[] = {
      {"", 0, "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"},
      {"abc", 3, "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
       "JI1qYdIGOLjlwCaTDD5gOaM85Flk_yFn9uzt1BnbBsE"},
      {million, sizeof million, "zcduXJkU-5KBocfihNc-Z_GAmkiklyAOBG05zMcRLNA"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    char digest[44];
    spec_sha256_urlsafe(digest, cases[i].data, cases[i].len);
    assert_string_equal(digest, cases[i].digest);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_published_digests)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
