
// Initialisation, for the CPU
// How many threads compute; one per core if less than 1.
void futhark_context_config_set_num_threads(struct futhark_context_config* cfg, int n);
