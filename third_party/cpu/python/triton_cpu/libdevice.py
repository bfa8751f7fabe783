"""tl.extra.libdevice on the CPU: the functions of rt/ttlibdevice.h, by a table.

A line is a name, the signatures that it has, and, behind '=', the name in C where that is another one. A
signature is a letter for each argument and one for the result: f fp32, d fp64, i int32, u uint32, l int64,
L uint64, b int1.
"""

from triton.language import core

_TYPES = {"f": "fp32", "d": "fp64", "i": "int32", "u": "uint32", "l": "int64", "L": "uint64", "b": "int1"}
_IN_C = {"f": "fp32", "d": "fp64", "i": "i32", "u": "u32", "l": "i64", "L": "u64"}

_ROUNDINGS = ("rn", "rz", "rd", "ru")

_TABLE = {
    # of a real number
    **dict.fromkeys(
        """floor ceil trunc sqrt rsqrt rint nearbyint round exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan
        sinpi cospi asin acos atan sinh cosh tanh asinh acosh atanh cbrt rcbrt erf erfc erfinv erfcinv erfcx
        normcdf normcdfinv lgamma tgamma logb j0 j1 y0 y1 cyl_bessel_i0 cyl_bessel_i1""".split(), "ff dd"),
    **dict.fromkeys("atan2 hypot rhypot fmod remainder fdim copysign nextafter".split(), "fff ddd"),
    "pow": "fff ddd fif did",
    "fma": "ffff dddd",
    "norm3d": "ffff dddd", "rnorm3d": "ffff dddd", "norm4d": "fffff ddddd", "rnorm4d": "fffff ddddd",
    "jn": "iff idd", "yn": "iff idd", "ldexp": "fif did", "scalbn": "fif did",
    "ilogb": "fi di", "llrint": "fl dl", "llround": "fl dl", "signbit": "fi di",
    "isnan": "fb db", "isinf": "fb db", "finitef": "fb = finite", "isfinited": "db = finite",
    "saturatef": "ff", "rcp64h": "dd",
    "fast_dividef": "fff = div_rn", "fast_powf": "fff = pow", "rsqrt_rn": "ff = rsqrt",
    **{f"fast_{name}f": f"ff = {name}" for name in "sin cos tan tanh log2 log log10 exp exp10".split()},
    # with a rounding
    **{f"{name}_{how}": kinds for how in _ROUNDINGS for name, kinds in {
        "add": "fff ddd", "sub": "fff ddd", "mul": "fff ddd", "div": "fff ddd", "rcp": "ff dd", "sqrt": "ff dd",
        "fma": "ffff dddd", "double2float": "df", "double2int": "di", "double2uint": "di", "double2ll": "dl",
        "double2ull": "dl", "float2int": "fi", "float2uint": "fi", "float2ll": "fl", "float2ull": "fl",
        "int2float": "if", "uint2float": "uf", "ll2float": "lf", "ull2float": "Lf", "ll2double": "ld",
        "ull2double": "Ld"}.items()},
    "int2double_rn": "id", "uint2double_rn": "ud",
    # bits and integers
    "hiloint2double": "iid", "double2loint": "di", "double2hiint": "di",
    "int_as_float": "if = as_float", "uint_as_float": "uf = as_float", "float_as_int": "fi = as_int",
    "float_as_uint": "fi = as_int", "longlong_as_double": "ld = as_double", "double_as_longlong": "dl = as_longlong",
    "clz": "ii li", "popc": "ii li", "ffs": "ii li", "brev": "ii ll", "abs": "ii ll ff dd",
    "mulhi": "iii uuu lll LLL", "mul24": "iii uuu", "hadd": "iii uuu", "rhadd": "iii uuu",
    "sad": "iiui uuuu", "byte_perm": "iiii",
}


def _symbol(name, arguments):
    """The function in C: its name, and the types of its arguments, each once in a row of equal ones."""
    kinds = [_IN_C[letter] for letter in arguments]
    return "_".join(["tt_ld", name, *(kind for at, kind in enumerate(kinds) if at == 0 or kinds[at - 1] != kind)])


def _rows(text, name):
    """{types of the arguments: (symbol, type of the result)} of a line of the table."""
    kinds, _, other = text.partition(" = ")
    rows = {}
    for kind in kinds.split():
        symbol = _symbol(other or name, kind[:-1].replace("u", "i") if other == "as_float" else kind[:-1])
        rows[tuple(core.dtype(_TYPES[letter]) for letter in kind[:-1])] = (symbol, core.dtype(_TYPES[kind[-1]]))
    return rows


def _function(name, text):
    rows = _rows(text, name)
    count = len(next(iter(rows)))

    def call(*arguments, _semantic=None):
        if len(arguments) != count:
            raise TypeError(f"libdevice.{name} takes {count} arguments, not {len(arguments)}")
        return core.extern_elementwise("", "", list(arguments), rows, is_pure=True, _semantic=_semantic)
    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"libdevice.{name} of {' or '.join('(' + ', '.join(map(str, row)) + ')' for row in rows)}."
    return core.extern(call)


for _name, _text in _TABLE.items():
    globals()[_name] = _function(_name, _text)
