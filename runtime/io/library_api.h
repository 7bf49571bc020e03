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
