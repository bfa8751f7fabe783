/* ttrt_trig.h: sine, cosine and tangent of f32 for every argument. */
#ifndef TTRT_TRIG_H
#define TTRT_TRIG_H

/* 2^k modulo 2 pi, k from 0 to 104, as a number of 29 bits, whose product with a fraction of f32 is
 * exact in f64, and the rest. */
static const double tt_turn_high[105] = {
    0x1.0000000000000p+0, 0x1.0000000000000p+1, 0x1.0000000000000p+2, 0x1.b7812ae000000p+0,
    0x1.b7812ae000000p+1, 0x1.2b0bad5000000p-1, 0x1.2b0bad5000000p+0, 0x1.2b0bad5000000p+1,
    0x1.2b0bad5000000p+2, 0x1.87ef4ac000000p+1, 0x1.87ef4ac000000p+2, 0x1.7dbee05000000p+2,
    0x1.695e0b6000000p+2, 0x1.409c618000000p+2, 0x1.de321bb000000p+1, 0x1.304999c000000p+0,
    0x1.304999c000000p+1, 0x1.304999c000000p+2, 0x1.9ce6fca000000p+1, 0x1.58e8ec1000000p-3,
    0x1.58e8ec1000000p-2, 0x1.58e8ec1000000p-1, 0x1.58e8ec1000000p+0, 0x1.58e8ec1000000p+1,
    0x1.58e8ec1000000p+2, 0x1.1fb222e000000p+2, 0x1.5a8920f000000p+1, 0x1.5a8920f000000p+2,
    0x1.22f28cb000000p+2, 0x1.678ac84000000p+1, 0x1.678ac84000000p+2, 0x1.3cf5db4000000p+2,
    0x1.cf9802b000000p+1, 0x1.ebc26b9000000p-1, 0x1.ebc26b9000000p+0, 0x1.ebc26b9000000p+1,
    0x1.668ad94000000p+0, 0x1.668ad94000000p+1, 0x1.668ad94000000p+2, 0x1.3af5fd4000000p+2,
    0x1.c7988a9000000p+1, 0x1.abc6aac000000p-1, 0x1.abc6aac000000p+0, 0x1.abc6aac000000p+1,
    0x1.9a6f588000000p-2, 0x1.9a6f588000000p-1, 0x1.9a6f588000000p+0, 0x1.9a6f588000000p+1,
    0x1.09f4683000000p-3, 0x1.09f4683000000p-2, 0x1.09f4683000000p-1, 0x1.09f4683000000p+0,
    0x1.09f4683000000p+1, 0x1.09f4683000000p+2, 0x1.0392366000000p+1, 0x1.0392366000000p+2,
    0x1.d412de4000000p+0, 0x1.d412de4000000p+1, 0x1.07cca42000000p+0, 0x1.07cca42000000p+1,
    0x1.07cca42000000p+2, 0x1.f5e64c5000000p+0, 0x1.f5e64c5000000p+1, 0x1.8f1a5c3000000p+0,
    0x1.8f1a5c3000000p+1, 0x1.8f1a5c3000000p+2, 0x1.8c15033000000p+2, 0x1.860a512000000p+2,
    0x1.79f4ed0000000p+2, 0x1.61ca24d000000p+2, 0x1.3174946000000p+2, 0x1.a192e71000000p+1,
    0x1.ee66398000000p-3, 0x1.ee66398000000p-2, 0x1.ee66398000000p-1, 0x1.ee66398000000p+0,
    0x1.ee66398000000p+1, 0x1.711a111000000p+0, 0x1.711a111000000p+1, 0x1.711a111000000p+2,
    0x1.50146cd000000p+2, 0x1.0e09247000000p+2, 0x1.13e5275000000p+1, 0x1.13e5275000000p+2,
    0x1.2b5532b000000p+1, 0x1.2b5532b000000p+2, 0x1.8915606000000p+1, 0x1.8915606000000p+2,
    0x1.800b0b8000000p+2, 0x1.6df661d000000p+2, 0x1.49cd0e5000000p+2, 0x1.017a677000000p+2,
    0x1.c35466c000000p+0, 0x1.c35466c000000p+1, 0x1.89a58c4000000p-1, 0x1.89a58c4000000p+0,
    0x1.89a58c4000000p+1, 0x1.89a58c4000000p+2, 0x1.812b633000000p+2, 0x1.7037113000000p+2,
    0x1.4e4e6d3000000p+2, 0x1.0a7d251000000p+2, 0x1.05b529e000000p+1, 0x1.05b529e000000p+2,
    0x1.e52a7a6000000p+0};
static const double tt_turn_low[105] = {0x0.0p+0,
                                        0x0.0p+0,
                                        0x0.0p+0,
                                        0x1.de973dcb3b39ap-29,
                                        0x1.de973dcb3b39ap-28,
                                        0x1.63d0d3e0a0805p-31,
                                        0x1.63d0d3e0a0805p-30,
                                        0x1.63d0d3e0a0805p-29,
                                        0x1.63d0d3e0a0805p-28,
                                        0x1.b6ed46a6de9d7p-28,
                                        0x1.b6ed46a6de9d7p-27,
                                        0x1.cb00b98118127p-28,
                                        0x1.42a688f3e6e0ep-27,
                                        0x1.fcf2e15a9c902p-27,
                                        0x1.c62e48a01fba7p-29,
                                        0x1.6af3cf0b7aae9p-29,
                                        0x1.6af3cf0b7aae9p-28,
                                        0x1.6af3cf0b7aae9p-27,
                                        0x1.3635b62710adep-29,
                                        0x1.6055432b92ab6p-34,
                                        0x1.6055432b92ab6p-33,
                                        0x1.6055432b92ab6p-32,
                                        0x1.6055432b92ab6p-31,
                                        0x1.6055432b92ab6p-30,
                                        0x1.6055432b92ab6p-29,
                                        0x1.3e838844c120cp-30,
                                        0x1.8e8d6307fe2d3p-28,
                                        0x1.8e8d6307fe2d3p-27,
                                        0x1.29812b0596518p-28,
                                        0x1.424df4f0ca3fdp-28,
                                        0x1.424df4f0ca3fdp-27,
                                        0x1.fc41b954634dfp-27,
                                        0x1.c0a5086e55a96p-29,
                                        0x1.7f853a9f9a315p-31,
                                        0x1.7f853a9f9a315p-30,
                                        0x1.7f853a9f9a315p-29,
                                        0x1.bb436614df386p-30,
                                        0x1.bb436614df386p-29,
                                        0x1.bb436614df386p-28,
                                        0x1.32e93587ae06dp-27,
                                        0x1.baf0750455b7fp-28,
                                        0x1.94b223b92432cp-30,
                                        0x1.94b223b92432cp-29,
                                        0x1.94b223b92432cp-28,
                                        0x1.8afe657e60255p-32,
                                        0x1.8afe657e60255p-31,
                                        0x1.8afe657e60255p-30,
                                        0x1.8afe657e60255p-29,
                                        0x1.a4a0463fdc21ep-32,
                                        0x1.a4a0463fdc21ep-31,
                                        0x1.a4a0463fdc21ep-30,
                                        0x1.a4a0463fdc21ep-29,
                                        0x1.a4a0463fdc21ep-28,
                                        0x1.a4a0463fdc21ep-27,
                                        0x1.81ccb7e50e243p-28,
                                        0x1.81ccb7e50e243p-27,
                                        0x1.ecfcfcf3ac5b5p-29,
                                        0x1.ecfcfcf3ac5b5p-28,
                                        0x1.928b3199eca6ep-29,
                                        0x1.928b3199eca6ep-28,
                                        0x1.928b3199eca6ep-27,
                                        0x1.cbc32a6a81c2ap-31,
                                        0x1.cbc32a6a81c2ap-30,
                                        0x1.aa5a6835bcfc4p-29,
                                        0x1.aa5a6835bcfc4p-28,
                                        0x1.aa5a6835bcfc4p-27,
                                        0x1.98b53fbc918dep-28,
                                        0x1.105b0f2f605c4p-27,
                                        0x1.985bedd18f86fp-27,
                                        0x1.50bb562bdbb89p-28,
                                        0x1.90c24b3d550dep-28,
                                        0x1.0d0356047b88ep-32,
                                        0x1.0ec09a62d0debp-32,
                                        0x1.0ec09a62d0debp-31,
                                        0x1.0ec09a62d0debp-30,
                                        0x1.0ec09a62d0debp-29,
                                        0x1.0ec09a62d0debp-28,
                                        0x1.999a7567eb471p-33,
                                        0x1.999a7567eb471p-32,
                                        0x1.999a7567eb471p-31,
                                        0x1.aad91e1fcc375p-27,
                                        0x1.9ab01764ce79fp-28,
                                        0x1.255e6d79d485fp-31,
                                        0x1.255e6d79d485fp-30,
                                        0x1.81fad5a287dfcp-28,
                                        0x1.81fad5a287dfcp-27,
                                        0x1.ee6deadf7a37dp-29,
                                        0x1.ee6deadf7a37dp-28,
                                        0x1.6613ba5249063p-27,
                                        0x1.0f35105d836b3p-29,
                                        0x1.ff4057a190840p-27,
                                        0x1.76267eb5efd66p-27,
                                        0x1.8fcb337ab9ec9p-29,
                                        0x1.8fcb337ab9ec9p-28,
                                        0x1.dc40bb622ebdap-33,
                                        0x1.dc40bb622ebdap-32,
                                        0x1.dc40bb622ebdap-31,
                                        0x1.dc40bb622ebdap-30,
                                        0x1.eeb5fe4b5a7ddp-27,
                                        0x1.5511cc0983ca1p-27,
                                        0x1.0e4b3c2eb313cp-30,
                                        0x1.bb389e7e7b936p-27,
                                        0x1.dc2e18df8bea3p-28,
                                        0x1.dc2e18df8bea3p-27,
                                        0x1.8010098f35163p-30};

/* An angle within a quarter turn around 0, and the number of the quarter modulo 4. */
typedef struct tt_angle {
  float rest;
  int32_t quarter;
} tt_angle;

TT_INLINE __attribute__((no_sanitize("float-cast-overflow"))) tt_angle tt_reduce(float x) {
  uint32_t bits = TT_BITS(uint32_t, x);
  int32_t power = (int32_t)(bits >> 23 & 255) - 150; /* x is a whole number times 2^power */
  int32_t k = power < 0 ? 0 : power > 104 ? 104 : power;
  float fraction = TT_BITS(float, (bits & 0x807fffff) | 0x4b000000);
  double whole = power < 0 ? x : fraction;
  double high = power < 0 ? 1.0 : tt_turn_high[k], low = power < 0 ? 0.0 : tt_turn_low[k];
  double turned = whole * high, more = whole * low;
  double n = __builtin_roundeven((turned + more) * 0x1.45f306dc9c883p-1);
  double rest = __builtin_fma(n, -0x1.921fb54442d18p+0, turned);
  rest += __builtin_fma(n, -0x1.1a62633145c07p-54, more);
  double quarter = n - 4.0 * __builtin_floor(n * 0.25);
  return (tt_angle){(float)rest, (int32_t)quarter};
}

/* Of an angle of at most pi / 4. */
TT_INLINE float tt_sin_small(float r) {
  float s = r * r;
  float p = 2.718237178e-06f;
  p = __builtin_fmaf(p, s, -1.983932712e-04f);
  p = __builtin_fmaf(p, s, 8.333329362e-03f);
  p = __builtin_fmaf(p, s, -1.666666664e-01f);
  return __builtin_fmaf(p * s, r, r);
}

TT_INLINE float tt_cos_small(float r) {
  float s = r * r;
  float p = -2.720954358e-07f;
  p = __builtin_fmaf(p, s, 2.479951171e-05f);
  p = __builtin_fmaf(p, s, -1.388888372e-03f);
  p = __builtin_fmaf(p, s, 4.166666662e-02f);
  return __builtin_fmaf(p * s, s, __builtin_fmaf(s, -0.5f, 1.0f));
}

TT_INLINE float tt_sin_f32(float x) {
  tt_angle a = tt_reduce(x);
  float s = tt_sin_small(a.rest), c = tt_cos_small(a.rest);
  float y = (a.quarter & 1) != 0 ? c : s;
  y = (a.quarter & 2) != 0 ? -y : y;
  return x == 0 ? x : x - x != 0 ? x - x : y; /* keeps -0; NaN of what is not finite */
}

TT_INLINE float tt_cos_f32(float x) {
  tt_angle a = tt_reduce(x);
  float s = tt_sin_small(a.rest), c = tt_cos_small(a.rest);
  float y = (a.quarter & 1) != 0 ? s : c;
  y = ((a.quarter + 1) & 2) != 0 ? -y : y;
  return x - x != 0 ? x - x : y;
}

TT_INLINE float tt_tan_f32(float x) {
  tt_angle a = tt_reduce(x);
  float s = a.rest * a.rest;
  float p = 4.424833333e-03f;
  p = __builtin_fmaf(p, s, -1.227903167e-05f);
  p = __builtin_fmaf(p, s, 1.091923589e-02f);
  p = __builtin_fmaf(p, s, 2.124858651e-02f);
  p = __builtin_fmaf(p, s, 5.406675323e-02f);
  p = __builtin_fmaf(p, s, 1.333259944e-01f);
  p = __builtin_fmaf(p, s, 3.333335174e-01f);
  float t = __builtin_fmaf(p * s, a.rest, a.rest);
  float y = (a.quarter & 1) != 0 ? -1.0f / t : t;
  return x == 0 ? x : x - x != 0 ? x - x : y;
}

TT_INLINE double tt_sin_f64(double x) {
  return __builtin_sin(x);
}

TT_INLINE double tt_cos_f64(double x) {
  return __builtin_cos(x);
}

TT_INLINE double tt_tan_f64(double x) {
  return __builtin_tan(x);
}

#endif
