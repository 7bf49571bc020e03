// CUB's reductions of whole arrays: prints a name and the microseconds between events on the device, medians of 30.
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

struct Least {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a < b ? a : b;
  }
};

template <class T, class Op>
void row(const char* name, int n, Op op, T neutral) {
  T *in, *out;
  cudaMalloc(&in, n * sizeof(T));
  cudaMalloc(&out, sizeof(T));
  cudaMemset(in, 1, n * sizeof(T));
  void* scratch = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Reduce(scratch, bytes, in, out, n, op, neutral);
  cudaMalloc(&scratch, bytes);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times(30);
  for (float& ms : times) {
    cudaEventRecord(begin);
    cub::DeviceReduce::Reduce(scratch, bytes, in, out, n, op, neutral);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
  }
  std::sort(times.begin(), times.end());
  printf("%s %d %.1f\n", name, n, times[15] * 1000);
  cudaFree(in);
  cudaFree(out);
  cudaFree(scratch);
}

int main() {
  for (int n : {1000000, 100000000}) {
    row<float>("sum_f32", n, Sum(), 0);
    row<int>("sum_i32", n, Sum(), 0);
    row<float>("min_f32", n, Least(), 1e30f);
  }
}
