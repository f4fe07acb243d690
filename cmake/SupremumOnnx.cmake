# What the readers of files need beside libzip; the onnx library and protobuf, as SUPREMUM_ONNX_LIBRARIES: onnx's CMake package gives its targets a namespace in newer versions
# (Debian 13), and none in older ones (Debian 12).
find_package(Protobuf REQUIRED)
find_package(ONNX REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
if(TARGET ONNX::onnx)
  set(SUPREMUM_ONNX_LIBRARIES ONNX::onnx ONNX::onnx_proto protobuf::libprotobuf)
else()
  set(SUPREMUM_ONNX_LIBRARIES onnx onnx_proto protobuf::libprotobuf)
endif()
