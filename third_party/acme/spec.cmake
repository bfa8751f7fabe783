# Owners of the sources that the trunk lacks, and what they need. Read when the trunk's project begins.
spec_target_sources(TritonGPUTransforms lib/Dialect/TritonGPU/Transforms/AcmeStamp.cpp)
spec_target_definitions(TritonGPUTransforms ACME_REVISION=7)
spec_target_include_directories(TritonGPUTransforms "${CMAKE_CURRENT_LIST_DIR}/chip")
spec_target_link_libraries(TritonGPUTransforms TritonChecksum)

spec_target_sources(TritonGPUToLLVM lib/Conversion/TritonGPUToLLVM/AcmeScan.cpp)
