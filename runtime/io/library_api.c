// The functions of the C API that every library has. What they do is said in library_api.h and in Futhark's manual.

struct futhark_context_config* futhark_context_config_new(void) {
  return hd_library_config_new(&hd_this_program);
}

void futhark_context_config_free(struct futhark_context_config* cfg) { hd_library_config_free(cfg); }

int futhark_context_config_set_tuning_param(struct futhark_context_config* cfg, const char* param_name,
                                            size_t new_value) {
  return hd_library_set_param(cfg, param_name, new_value > INT64_MAX ? INT64_MAX : (int64_t)new_value);
}

void futhark_context_config_set_debugging(struct futhark_context_config* cfg, int flag) {
  hd_config_set_debugging(cfg->config, flag != 0);
}

void futhark_context_config_set_profiling(struct futhark_context_config* cfg, int flag) {
  hd_config_set_profiling(cfg->config, flag != 0);
}

void futhark_context_config_set_logging(struct futhark_context_config* cfg, int flag) {
  hd_config_set_logging(cfg->config, flag != 0);
}

void futhark_context_config_set_cache_file(struct futhark_context_config* cfg, const char* f) {
  hd_config_set_cache_file(cfg->config, f);
}

int futhark_get_tuning_param_count(void) { return hd_this_program.num_params; }

const char* futhark_get_tuning_param_name(int i) {
  return i < 0 || i >= hd_this_program.num_params ? NULL : hd_this_program.params[i].name;
}

const char* futhark_get_tuning_param_class(int i) {
  return i < 0 || i >= hd_this_program.num_params ? NULL : hd_this_program.params[i].class_text;
}

#ifdef FUTHARK_BACKEND_cuda
void futhark_context_config_set_default_thread_block_size(struct futhark_context_config* cfg, int size) {
  hd_config_set_default(cfg->config, HD_DEFAULT_THREAD_BLOCK_SIZE, size);
}

void futhark_context_config_set_default_grid_size(struct futhark_context_config* cfg, int size) {
  hd_config_set_default(cfg->config, HD_DEFAULT_GRID_SIZE, size);
}

void futhark_context_config_set_default_group_size(struct futhark_context_config* cfg, int size) {
  hd_config_set_default(cfg->config, HD_DEFAULT_THREAD_BLOCK_SIZE, size);
}

void futhark_context_config_set_default_num_groups(struct futhark_context_config* cfg, int size) {
  hd_config_set_default(cfg->config, HD_DEFAULT_GRID_SIZE, size);
}

void futhark_context_config_set_default_tile_size(struct futhark_context_config* cfg, int size) {
  hd_config_set_default(cfg->config, HD_DEFAULT_TILE_SIZE, size);
}

void futhark_context_config_set_default_reg_tile_size(struct futhark_context_config* cfg, int size) {
  hd_config_set_default(cfg->config, HD_DEFAULT_REG_TILE_SIZE, size);
}

void futhark_context_config_set_default_registers(struct futhark_context_config* cfg, int size) {
  hd_config_set_default(cfg->config, HD_DEFAULT_REGISTERS, size);
}

void futhark_context_config_set_default_cache(struct futhark_context_config* cfg, int size) {
  hd_config_set_default(cfg->config, HD_DEFAULT_CACHE, size);
}

void futhark_context_config_set_default_threshold(struct futhark_context_config* cfg, int size) {
  hd_config_set_default(cfg->config, HD_DEFAULT_THRESHOLD, size);
}

void futhark_context_config_set_unified_memory(struct futhark_context_config* cfg, int flag) {
  hd_config_set_unified_memory(cfg->config, flag);
}

void futhark_context_config_add_nvrtc_option(struct futhark_context_config* cfg, const char* opt) {
  hd_config_add_nvrtc_option(cfg->config, opt);
}

void futhark_context_config_set_device(struct futhark_context_config* cfg, const char* s) {
  hd_config_set_device(cfg->config, s);
}

const char* futhark_context_config_get_program(struct futhark_context_config* cfg) {
  if (cfg->config->cuda_text == NULL) cfg->config->cuda_text = hd_program_text(&hd_this_program);
  return cfg->config->cuda_text;
}

void futhark_context_config_set_program(struct futhark_context_config* cfg, const char* s) {
  hd_config_set_cuda_text(cfg->config, s);
}

void futhark_context_config_dump_ptx_to(struct futhark_context_config* cfg, const char* s) {
  hd_config_set_dump_ptx(cfg->config, s);
}

void futhark_context_config_load_ptx_from(struct futhark_context_config* cfg, const char* s) {
  hd_config_set_load_ptx(cfg->config, s);
}

void heddle_context_config_set_specialize_after(struct futhark_context_config* cfg, int launches) {
  hd_config_set_specialize_after(cfg->config, launches);
  hd_config_set_cache_folder(cfg->config, launches >= 0);
}
#else
void futhark_context_config_set_num_threads(struct futhark_context_config* cfg, int n) {
  hd_config_set_num_threads(cfg->config, n < 1 ? 0 : n);
}
#endif

struct futhark_context* futhark_context_new(struct futhark_context_config* cfg) {
  return hd_library_new(cfg);
}

void futhark_context_free(struct futhark_context* ctx) { hd_library_free(ctx); }

int futhark_context_sync(struct futhark_context* ctx) {
  int status = hd_sync(hd_library_enter(ctx));
  hd_library_leave(ctx);
  return status;
}

char* futhark_context_get_error(struct futhark_context* ctx) { return hd_library_take_error(ctx); }

void futhark_context_set_logging_file(struct futhark_context* ctx, FILE* f) {
  hd_context_set_log(hd_library_enter(ctx), f);
  hd_library_leave(ctx);
}

void futhark_context_pause_profiling(struct futhark_context* ctx) {
  hd_context_pause_profiling(hd_library_enter(ctx));
  hd_library_leave(ctx);
}

void futhark_context_unpause_profiling(struct futhark_context* ctx) {
  hd_context_unpause_profiling(hd_library_enter(ctx));
  hd_library_leave(ctx);
}

char* futhark_context_report(struct futhark_context* ctx) {
  char* report = hd_context_report(hd_library_enter(ctx));
  hd_library_leave(ctx);
  return report;
}

int futhark_context_clear_caches(struct futhark_context* ctx) {
  int status = hd_context_clear_caches(hd_library_enter(ctx));
  hd_library_leave(ctx);
  return status;
}
