#include "runtime/core/cache_bound.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HD_CACHE_BLOCK = 4096, HD_CACHE_MIB = 256, HD_CACHE_ABANDONED_SECONDS = 3600 };

struct hd_cache_entry {
  char name[64];
  struct timespec used;
  int64_t bytes;
};

HD_API int64_t hd_cache_limit(void) {
  const char* chosen = getenv("HEDDLE_CACHE_MIB");
  char* end = NULL;
  long long mib = chosen != NULL ? strtoll(chosen, &end, 10) : HD_CACHE_MIB;
  if (chosen != NULL && (end == chosen || *end != 0 || mib < 0 || mib > 1 << 30)) mib = HD_CACHE_MIB;
  return mib << 20;
}

// Entries are named by 32 hexadecimal digits and ".cubin", unfinished ones by six more characters.
static bool hd_is_cache_entry(const char* name, bool* unfinished) {
  if (strspn(name, "0123456789abcdef") != 32 || strncmp(name + 32, ".cubin", 6) != 0) return false;
  size_t rest = strlen(name + 38);
  *unfinished = rest == 7 && name[38] == '.';
  return rest == 0 || *unfinished;
}

static int hd_by_use(const void* left, const void* right) {
  const struct hd_cache_entry *a = left, *b = right;
  if (a->used.tv_sec != b->used.tv_sec) return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
  if (a->used.tv_nsec != b->used.tv_nsec) return a->used.tv_nsec < b->used.tv_nsec ? -1 : 1;
  return strcmp(a->name, b->name);
}

// Yields how many entries there are; unfinished ones that nobody is likely to finish are deleted.
static int hd_list_cache(DIR* folder, struct hd_cache_entry** entries) {
  int n = 0, max = 0;
  time_t now = time(NULL);
  *entries = NULL;
  for (const struct dirent* file; (file = readdir(folder)) != NULL;) {
    bool unfinished;
    struct stat facts;
    if (!hd_is_cache_entry(file->d_name, &unfinished)) continue;
    if (fstatat(dirfd(folder), file->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(facts.st_mode)) continue;
    if (unfinished) {
      if (now - facts.st_mtim.tv_sec > HD_CACHE_ABANDONED_SECONDS) unlinkat(dirfd(folder), file->d_name, 0);
      continue;
    }
    if (n == max) {
      max = 2 * max + 64;
      struct hd_cache_entry* grown = realloc(*entries, (size_t)max * sizeof *grown);
      if (grown == NULL) return n;
      *entries = grown;
    }
    struct hd_cache_entry* entry = &(*entries)[n++];
    memcpy(entry->name, file->d_name, strlen(file->d_name) + 1);
    entry->used = facts.st_mtim;
    entry->bytes = (facts.st_size + HD_CACHE_BLOCK - 1) / HD_CACHE_BLOCK * HD_CACHE_BLOCK;
  }
  return n;
}

HD_API void hd_cache_bound(const char* path, int64_t most_bytes) {
  DIR* folder = opendir(path);
  if (folder == NULL) return;
  struct hd_cache_entry* entries;
  int n = hd_list_cache(folder, &entries);
  int64_t total = 0;
  for (int i = 0; i < n; i++) total += entries[i].bytes;
  if (total > most_bytes) {
    qsort(entries, (size_t)n, sizeof *entries, hd_by_use);
    for (int i = 0; i < n && total > most_bytes; i++) {
      // Another program may have been faster.
      unlinkat(dirfd(folder), entries[i].name, 0);
      total -= entries[i].bytes;
    }
  }
  free(entries);
  closedir(folder);
}
