#include "fixture.h"

namespace heddle::runtime {
namespace {

class FailureTest : public OnBothBackends {
 protected:
  // Runs add_one over `values` and returns the status of reading the result.
  int add_one(const std::vector<float>& values, std::vector<float>* result) {
    int64_t n = static_cast<int64_t>(values.size());
    hd_array x = upload(ctx(), HD_F32, {n}, values);
    hd_array y;
    EXPECT_EQ(hd_array_alloc(ctx(), &y, HD_F32, 1, &n), HD_SUCCESS);
    void *x_address = hd_array_address(&x), *y_address = hd_array_address(&y);
    EXPECT_EQ(launch(ctx(), ADD_ONE, (n + 255) / 256, 256, 0, {&x_address, &y_address, &n}), HD_SUCCESS);
    result->assign(values.size(), 0);
    int status = hd_array_download(ctx(), &y, result->data());
    hd_array_release(ctx(), &x);
    hd_array_release(ctx(), &y);
    return status;
  }
};
HEDDLE_ON_BOTH_BACKENDS(FailureTest);

TEST_P(FailureTest, AFailureInAKernelIsReportedOnceAsFutharkWould) {
  std::vector<float> values(1000, 1), result;
  EXPECT_EQ(add_one(values, &result), HD_SUCCESS);
  EXPECT_EQ(result, std::vector<float>(1000, 2));
  values[777] = -2.5f;
  EXPECT_EQ(add_one(values, &result), HD_ERROR_PROGRAM);
  EXPECT_EQ(runtime->error(),
            "Error: Element 777 is -2.500000 (even: false), 100% bad\n\nBacktrace:\n-> #0  test.fut:1:2-3\n");
  values[777] = 1;
  EXPECT_EQ(add_one(values, &result), HD_SUCCESS);
  EXPECT_EQ(result, std::vector<float>(1000, 2));
}

TEST_P(FailureTest, OneOfManyFailuresIsKeptWhole) {
  std::vector<float> values(100000, 1), result;
  for (size_t i = 3; i < values.size(); i += 7) values[i] = -static_cast<float>(i);
  EXPECT_EQ(add_one(values, &result), HD_ERROR_PROGRAM);
  std::string error = runtime->error();
  int index = 0;
  float value = 0;
  ASSERT_EQ(std::sscanf(error.c_str(), "Error: Element %d is %f", &index, &value), 2) << error;
  EXPECT_EQ(value, -static_cast<float>(index));
  EXPECT_EQ(index % 7, 3);
}

TEST_P(FailureTest, KernelsAfterAFailureDoNotHideIt) {
  EXPECT_EQ(launch(ctx(), GIVE_UP, 1, 1, 0, {}), HD_SUCCESS);
  std::vector<float> values(10, -1), result;
  EXPECT_EQ(add_one(values, &result), HD_ERROR_PROGRAM);
  EXPECT_EQ(runtime->error(), "Error: Gave up");
}

// What a program asserts on the host comes after the kernels that were launched before.
TEST_P(FailureTest, KernelsFailBeforeTheHostDoes) {
  EXPECT_EQ(launch(ctx(), GIVE_UP, 1, 1, 0, {}), HD_SUCCESS);
  const int64_t args[] = {-3, 0, 1};
  EXPECT_EQ(hd_fail(ctx(), 0, 3, args), HD_ERROR_PROGRAM);
  EXPECT_EQ(runtime->error(), "Error: Gave up");
  EXPECT_EQ(hd_sync(ctx()), HD_SUCCESS);
}

// A call that ends for another reason leaves nothing behind for the next one to fail by.
TEST_P(FailureTest, FailuresOfACallThatEndedAreForgotten) {
  EXPECT_EQ(launch(ctx(), GIVE_UP, 1, 1, 0, {}), HD_SUCCESS);
  EXPECT_EQ(hd_error(ctx(), "out of something"), HD_ERROR_PROGRAM);
  hd_forget_failures(ctx());
  EXPECT_EQ(runtime->error(), "out of something");
  EXPECT_EQ(hd_sync(ctx()), HD_SUCCESS);
}

TEST_P(FailureTest, AnErrorStaysUntilItIsTaken) {
  const double value = 1.5;
  int64_t args[] = {-3, 0, 1};
  std::memcpy(&args[1], &value, sizeof value);
  EXPECT_EQ(hd_fail(ctx(), 0, 3, args), HD_ERROR_PROGRAM);
  EXPECT_EQ(hd_error(ctx(), "another one"), HD_ERROR_PROGRAM);
  EXPECT_EQ(hd_sync(ctx()), HD_ERROR_PROGRAM);
  EXPECT_EQ(runtime->error(),
            "Error: Element -3 is 1.500000 (even: true), 100% bad\n\nBacktrace:\n-> #0  test.fut:1:2-3\n");
  EXPECT_EQ(runtime->error(), "");
  EXPECT_EQ(hd_sync(ctx()), HD_SUCCESS);
}

TEST_P(FailureTest, UnknownFailuresAreABugOfTheCompiler) {
  EXPECT_EQ(hd_fail(ctx(), 99, 0, nullptr), HD_ERROR_PROGRAM);
  EXPECT_EQ(runtime->error(),
            "Error: a failure with the unknown number 99 was reported; this is a bug in the compiler.");
}

}  // namespace
}  // namespace heddle::runtime
