#ifndef TRITON_ATTR_DEFS
#define TRITON_ATTR_DEFS

include "mlir/IR/AttrTypeBase.td"
include "triton/Dialect/Triton/IR/TritonDialect.td"
include "TritonAttrEnums.td"

def TT_CachePolicyAttr : AttrDef<Triton_Dialect, "CachePolicy"> {
  let mnemonic = "cache_policy";
  let summary = "Hints to the caches; they never change a program's meaning";
  let parameters = (ins
    EnumParameter<TT_CacheModifierAttr>:$cache_modifier,
    EnumParameter<TT_EvictionPolicyAttr>:$eviction_policy
  );
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // TRITON_ATTR_DEFS
