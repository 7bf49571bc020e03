#include <cstdio>

#include "fixture.h"

namespace heddle::runtime {
namespace {

std::string traced(hd_context* ctx, const hd_constituent& value) {
  char* text = nullptr;
  size_t length = 0;
  FILE* log = open_memstream(&text, &length);
  hd_context_set_log(ctx, log);
  hd_trace(ctx, "x", &value);
  std::fclose(log);
  hd_context_set_log(ctx, stderr);
  std::string result = text;
  std::free(text);
  return result;
}

// The expected lines are what `futhark c` prints for #[trace(x)].
TEST(Trace, ScalarsAndArraysPrintAsInFuthark) {
  Runtime runtime(HD_BACKEND_CPU);
  hd_context* ctx = runtime.context();
  hd_constituent value = {};
  value.elem = HD_I8;
  value.scalar.i8 = -56;
  EXPECT_EQ(traced(ctx, value), "x: -56\n");
  value.elem = HD_F16;
  value.scalar.f16 = 0x4100;
  EXPECT_EQ(traced(ctx, value), "x: 2.500000\n");
  value.scalar.f16 = 0x8001;
  EXPECT_EQ(traced(ctx, value), "x: -0.000000\n");
  value.scalar.f16 = 0xfc00;
  EXPECT_EQ(traced(ctx, value), "x: -inf\n");
  value.elem = HD_BOOL;
  value.scalar.b = false;
  EXPECT_EQ(traced(ctx, value), "x: false\n");
  value.is_array = true;
  value.array = upload(ctx, HD_F32, {2, 1}, std::vector<float>{2, 3});
  EXPECT_EQ(traced(ctx, value), "x: 2.000000 3.000000 \n");
  hd_array_release(ctx, &value.array);
}

}  // namespace
}  // namespace heddle::runtime
