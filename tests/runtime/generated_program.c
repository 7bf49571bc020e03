// What the compiler makes of `entry main (xs: []f32) = map (+1) xs`, by hand.

// The device text builds on the host text, so they must not be sorted.
// clang-format off
#include "embedded_runtime_headers.txt"
#include "embedded_runtime_host.txt"
#include "embedded_runtime_cpu.txt"
#include "embedded_runtime_device.txt"
#include "embedded_runtime_builtins.txt"
// clang-format on

HD_KERNEL(segmap_0, struct hd_failure_record* failure, const float* HD_RESTRICT xs, float* HD_RESTRICT ys, int64_t n) {
  HD_AFTER_EARLIER_KERNELS();
  int64_t i = HD_BLOCK_ID * HD_BLOCK_SIZE + HD_THREAD_ID;
  if (HD_ALREADY_FAILED(failure)) return;
  if (i < n) ys[i] = xs[i] + 1.0f;
}

static void segmap_0_cpu(const struct hd_cpu_launch* launch, void** args) {
  struct hd_failure_record* failure = *(struct hd_failure_record**)args[0];
  const float* xs = *(const float**)args[1];
  float* ys = *(float**)args[2];
  int64_t n = *(int64_t*)args[3];
  HD_CPU_FOR_EACH_THREAD(launch, hd_self) { segmap_0(hd_self, failure, xs, ys, n); }
}

static int entry_main(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out) {
  const struct hd_array* xs = &in[0].array;
  int64_t n = xs->shape[0];
  out[0] = (struct hd_constituent){.is_array = true, .elem = HD_F32};
  int status = hd_array_alloc(ctx, &out[0].array, HD_F32, 1, &n);
  if (status != HD_SUCCESS) return status;
  void* xs_address = hd_array_address(xs);
  void* ys_address = hd_array_address(&out[0].array);
  void* args[] = {hd_failure_address(ctx), &xs_address, &ys_address, &n};
  int64_t block_size = hd_param(ctx, 0);
  return hd_launch_kernel(
      ctx,
      &(struct hd_launch){
          .kernel = 0, .num_blocks = (n + block_size - 1) / block_size, .block_size = (int)block_size, .args = args});
}

static const struct hd_value_type floats = {HD_F32, false, 1};
static const struct hd_type types[] = {
    {.name = "[]f32", .kind = HD_TYPE_TRANSPARENT, .num_constituents = 1, .constituents = &floats, .elem_type = -1}};
static const struct hd_param_type inputs[] = {{"xs", 0, false}}, outputs[] = {{NULL, 0, true}};
static const struct hd_entry entries[] = {{"main", 1, inputs, 1, outputs, entry_main}};
static const struct hd_tuning_param params[] = {{"main.block_size", HD_TUNE_THREAD_BLOCK_SIZE, "thread_block_size", 0}};
static const struct hd_kernel kernels[] = {{"segmap_0", false, segmap_0_cpu, NULL, 0, false, false, false}};
static const struct hd_program hd_this_program = {.backend = HD_BACKEND_CPU,
                                                  .backend_ops = hd_backend_cpu,
                                                  .name = "generated",
                                                  .num_types = 1,
                                                  .types = types,
                                                  .num_entries = 1,
                                                  .entries = entries,
                                                  .num_params = 1,
                                                  .params = params,
                                                  .num_kernels = 1,
                                                  .kernels = kernels};

int main(void) {
  struct hd_config* config = hd_config_new(&hd_this_program);
  struct hd_context* ctx = hd_context_new(config);
  enum { COUNT = 1000 };
  static float values[COUNT];
  for (int i = 0; i < COUNT; i++) values[i] = (float)i;
  const int64_t shape = COUNT;
  struct hd_constituent in = {.is_array = true, .elem = HD_F32}, out;
  int status = hd_array_alloc(ctx, &in.array, HD_F32, 1, &shape);
  if (status == HD_SUCCESS) status = hd_array_upload(ctx, &in.array, values);
  if (status == HD_SUCCESS) status = hd_this_program.entries[0].run(ctx, &in, &out);
  if (status == HD_SUCCESS) status = hd_array_download(ctx, &out.array, values);
  for (int i = 0; i < COUNT && status == HD_SUCCESS; i++) {
    if (values[i] != (float)i + 1.0f) status = 1;
  }
  if (status == HD_SUCCESS) {
    hd_array_release(ctx, &in.array);
    hd_array_release(ctx, &out.array);
  }
  hd_context_free(ctx);
  hd_config_free(config);
  return status;
}
