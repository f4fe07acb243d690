# Finds the dependencies of the readers of files, except libzip. SUPREMUM_ONNX_LIBRARIES has the onnx library and protobuf: the targets of
# onnx's CMake package have a namespace in Debian 13, and none in Debian 12.
find_package(Protobuf REQUIRED)
find_package(ONNX REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
if(TARGET ONNX::onnx)
  set(SUPREMUM_ONNX_LIBRARIES ONNX::onnx ONNX::onnx_proto protobuf::libprotobuf)
else()
  set(SUPREMUM_ONNX_LIBRARIES onnx onnx_proto protobuf::libprotobuf)
endif()
