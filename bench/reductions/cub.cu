// CUB's reductions, scans and histograms of whole arrays: prints a name and the microseconds between events on the device, medians of 30.
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
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

template <class T>
struct ProductAt {
  const T *xs, *ys;
  __device__ T operator()(int i) const {
    return xs[i] * ys[i];
  }
};

template <class T>
T* ones(int n) {
  T* array;
  cudaMalloc(&array, n * sizeof(T));
  cudaMemset(array, 1, n * sizeof(T));
  return array;
}

// `reduce` is called as CUB's functions are: with no scratch memory it says how much it wants.
template <class Reduce>
void time_of(const char* name, int n, Reduce reduce) {
  void* scratch = nullptr;
  size_t bytes = 0;
  reduce(scratch, bytes);
  cudaMalloc(&scratch, bytes);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times(30);
  for (float& ms : times) {
    cudaEventRecord(begin);
    reduce(scratch, bytes);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
  }
  std::sort(times.begin(), times.end());
  printf("%s %d %.1f\n", name, n, times[15] * 1000);
  cudaFree(scratch);
}

template <class T, class Op>
void row(const char* name, int n, Op op, T neutral) {
  T *in = ones<T>(n), *out = ones<T>(1);
  time_of(name, n, [=](void* scratch, size_t& bytes) {
    cub::DeviceReduce::Reduce(scratch, bytes, in, out, n, op, neutral);
  });
  cudaFree(in);
  cudaFree(out);
}

void dot_row(const char* name, int n) {
  float *xs = ones<float>(n), *ys = ones<float>(n), *out = ones<float>(1);
  time_of(name, n, [=](void* scratch, size_t& bytes) {
    cub::DeviceReduce::TransformReduce(scratch, bytes, thrust::counting_iterator<int>(0), out, n, Sum(),
                                       ProductAt<float>{xs, ys}, 0.0f);
  });
  cudaFree(xs);
  cudaFree(ys);
  cudaFree(out);
}

template <class T>
void scan_row(const char* name, int n) {
  T *in = ones<T>(n), *out = ones<T>(n);
  time_of(name, n, [=](void* scratch, size_t& bytes) { cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, n); });
  cudaFree(in);
  cudaFree(out);
}

__global__ void fill_below(int* out, int n, unsigned bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = (int)((((unsigned)i * 2654435761u) >> 8) % bins);
}

void count_row(const char* name, int n, int bins) {
  int *in = ones<int>(n), *out = ones<int>(bins);
  fill_below<<<1024, 256>>>(in, n, (unsigned)bins);
  time_of(name, n, [=](void* scratch, size_t& bytes) {
    cub::DeviceHistogram::HistogramEven(scratch, bytes, in, out, bins + 1, 0, bins, n);
  });
  cudaFree(in);
  cudaFree(out);
}

int main() {
  for (int n : {1000000, 100000000}) {
    row<float>("sum_f32", n, Sum(), 0);
    row<int>("sum_i32", n, Sum(), 0);
    row<float>("min_f32", n, Least(), 1e30f);
    dot_row("dot_f32", n);
  }
  scan_row<float>("scan_f32", 100000000);
  scan_row<int>("scan_i32", 100000000);
  count_row("count_10", 50000000, 10);
  count_row("count_256", 50000000, 256);
  count_row("count_1000", 50000000, 1000);
  count_row("count_100000", 50000000, 100000);
}
