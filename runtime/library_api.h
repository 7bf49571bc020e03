#ifdef __cplusplus
extern "C" {
#endif

// Every function may be called from any thread, but a configuration belongs to one thread at a time.

// Initialisation
struct futhark_context_config;
struct futhark_context_config* futhark_context_config_new(void);
void futhark_context_config_free(struct futhark_context_config* cfg);
int futhark_context_config_set_tuning_param(struct futhark_context_config* cfg, const char* param_name,
                                            size_t new_value);
struct futhark_context;
struct futhark_context* futhark_context_new(struct futhark_context_config* cfg);
void futhark_context_free(struct futhark_context* ctx);
#ifdef FUTHARK_BACKEND_cuda
// Sizes less than 1 leave the choice to the device.
void futhark_context_config_set_default_thread_block_size(struct futhark_context_config* cfg, int size);
void futhark_context_config_set_default_grid_size(struct futhark_context_config* cfg, int size);
void futhark_context_config_set_default_group_size(struct futhark_context_config* cfg, int size);
void futhark_context_config_set_default_num_groups(struct futhark_context_config* cfg, int size);
void futhark_context_config_set_default_tile_size(struct futhark_context_config* cfg, int size);
void futhark_context_config_set_default_reg_tile_size(struct futhark_context_config* cfg, int size);
void futhark_context_config_set_default_registers(struct futhark_context_config* cfg, int size);
void futhark_context_config_set_default_cache(struct futhark_context_config* cfg, int size);
void futhark_context_config_set_default_threshold(struct futhark_context_config* cfg, int size);
// 0: never (unless set), 1: always, 2: where the device has it.
void futhark_context_config_set_unified_memory(struct futhark_context_config* cfg, int flag);
void futhark_context_config_add_nvrtc_option(struct futhark_context_config* cfg, const char* opt);
void futhark_context_config_set_device(struct futhark_context_config* cfg, const char* s);
const char* futhark_context_config_get_program(struct futhark_context_config* cfg);
void futhark_context_config_set_program(struct futhark_context_config* cfg, const char* s);
void futhark_context_config_dump_ptx_to(struct futhark_context_config* cfg, const char* s);
void futhark_context_config_load_ptx_from(struct futhark_context_config* cfg, const char* s);
// How many launches with the same sizes come before a kernel is compiled for these sizes while the program runs: 0, or
// the 1 that executables take, makes contractions fast after a second of compiling; less than 0, as it is unless set,
// never does. What is compiled is also kept in the user's cache folder (HEDDLE_CACHE names another, and none if empty),
// which a library does not touch unless this is set.
void heddle_context_config_set_specialize_after(struct futhark_context_config* cfg, int launches);
#else
// How many threads compute; one per core if less than 1.
void futhark_context_config_set_num_threads(struct futhark_context_config* cfg, int n);
#endif
void futhark_context_config_set_debugging(struct futhark_context_config* cfg, int flag);
void futhark_context_config_set_profiling(struct futhark_context_config* cfg, int flag);
void futhark_context_config_set_logging(struct futhark_context_config* cfg, int flag);
int futhark_get_tuning_param_count(void);
const char* futhark_get_tuning_param_name(int i);
const char* futhark_get_tuning_param_class(int i);

// Miscellaneous
int futhark_context_sync(struct futhark_context* ctx);
void futhark_context_config_set_cache_file(struct futhark_context_config* cfg, const char* f);
char* futhark_context_get_error(struct futhark_context* ctx);
void futhark_context_set_logging_file(struct futhark_context* ctx, FILE* f);
void futhark_context_pause_profiling(struct futhark_context* ctx);
void futhark_context_unpause_profiling(struct futhark_context* ctx);
char* futhark_context_report(struct futhark_context* ctx);
int futhark_context_clear_caches(struct futhark_context* ctx);
#define FUTHARK_SUCCESS 0
#define FUTHARK_PROGRAM_ERROR 2
#define FUTHARK_OUT_OF_MEMORY 3
