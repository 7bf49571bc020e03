
// Initialisation, for CUDA
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
