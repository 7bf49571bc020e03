#include "runtime/core/binary_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/core/cache_bound.h"

struct hd_cache_header {
  char magic[8];
  struct hd_cache_key key;
  uint64_t length;
  struct hd_cache_key content;  // hash of what follows
};

// A sparse file may claim any size.
enum { HD_LONGEST_ENTRY = 1 << 30 };

static const char hd_cache_magic[8] = {'h', 'e', 'd', 'd', 'l', 'e', ' ', '1'};

HD_API struct hd_cache_key hd_cache_key_start(void) {
  return (struct hd_cache_key){{UINT64_C(0xcbf29ce484222325), UINT64_C(0x9e3779b97f4a7c15)}};
}

// Two independent multiplicative hashes. The length goes in first, so that "ab","c" and "a","bc" differ.
HD_API void hd_cache_key_add(struct hd_cache_key* key, const char* bytes, size_t length) {
  uint64_t a = (key->halves[0] ^ length) * UINT64_C(0x100000001b3);
  uint64_t b = (key->halves[1] + length) * UINT64_C(0xbf58476d1ce4e5b9);
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)bytes[i];
    a = (a ^ byte) * UINT64_C(0x100000001b3);
    b = (b ^ (b >> 29) ^ byte) * UINT64_C(0xbf58476d1ce4e5b9);
  }
  key->halves[0] = a;
  key->halves[1] = b;
}

// Makes the folder and those it lies in, for this user alone: what is loaded from it is run.
static bool hd_make_folders(char* path) {
  for (char* slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0700);
    *slash = '/';
  }
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

HD_API char* hd_cache_folder(void) {
  const char* chosen = getenv("HEDDLE_CACHE");
  if (chosen != NULL) return *chosen != 0 ? hd_copy_string(chosen) : NULL;
  const char* base = getenv("XDG_CACHE_HOME");
  if (base != NULL && *base != 0) return hd_message("%s/heddle", base);
  const char* home = getenv("HOME");
  return home != NULL && *home != 0 ? hd_message("%s/.cache/heddle", home) : NULL;
}

HD_API char* hd_cache_path(const struct hd_cache_key* key) {
  char* folder = hd_cache_folder();
  char* path = NULL;
  if (folder != NULL && hd_make_folders(folder)) {
    path = hd_message("%s/%016" PRIx64 "%016" PRIx64 ".cubin", folder, key->halves[0], key->halves[1]);
  }
  free(folder);
  return path;
}

static struct hd_cache_header hd_cache_header_for(const struct hd_cache_key* key, const char* bytes, size_t length) {
  struct hd_cache_header header = {.key = *key, .length = length, .content = hd_cache_key_start()};
  memcpy(header.magic, hd_cache_magic, sizeof header.magic);
  hd_cache_key_add(&header.content, bytes, length);
  return header;
}

static bool hd_read_all(int file, char* bytes, size_t length) {
  while (length > 0) {
    ssize_t got = read(file, bytes, length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    length -= (size_t)got;
  }
  return true;
}

static char* hd_cache_load_open(int file, const struct hd_cache_key* key, size_t* length) {
  struct stat facts;
  struct hd_cache_header header;
  if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size > HD_LONGEST_ENTRY) return NULL;
  if (facts.st_size <= (off_t)sizeof header || !hd_read_all(file, (char*)&header, sizeof header)) return NULL;
  *length = (size_t)facts.st_size - sizeof header;
  char* bytes = malloc(*length + 1);
  if (bytes != NULL && hd_read_all(file, bytes, *length)) {
    struct hd_cache_header expected = hd_cache_header_for(key, bytes, *length);
    bytes[*length] = 0;
    if (memcmp(&header, &expected, sizeof expected) == 0) return bytes;
  }
  free(bytes);
  return NULL;
}

HD_API char* hd_cache_load(const char* path, const struct hd_cache_key* key, size_t* length) {
  // Entries are files. Whatever else goes by an entry's name is neither followed nor waited for.
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return NULL;
  char* bytes = hd_cache_load_open(file, key, length);
  // What was not used for longest goes first (cache_bound.h).
  if (bytes != NULL) futimens(file, NULL);
  close(file);
  return bytes;
}

static bool hd_write_all(int file, const char* bytes, size_t length) {
  while (length > 0) {
    ssize_t written = write(file, bytes, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    length -= (size_t)written;
  }
  return true;
}

HD_API int hd_cache_store(const char* path, const struct hd_cache_key* key, const char* bytes, size_t length) {
  struct hd_cache_header header = hd_cache_header_for(key, bytes, length);
  // Of its own, whatever other programs and threads write meanwhile.
  char* temporary = hd_message("%s.XXXXXX", path);
  if (temporary == NULL) return ENOMEM;
  int file = mkstemp(temporary);
  int problem = file < 0 ? errno : 0;
  if (problem == 0) {
    bool written = hd_write_all(file, (const char*)&header, sizeof header) && hd_write_all(file, bytes, length);
    problem = written ? 0 : errno;
    if (close(file) != 0 && problem == 0) problem = errno;
    if (problem == 0 && rename(temporary, path) != 0) problem = errno;
    if (problem != 0) unlink(temporary);
  }
  free(temporary);
  return problem;
}

HD_API int hd_cache_keep(const struct hd_cache_key* key, const char* bytes, size_t length) {
  char* path = hd_cache_path(key);
  int problem = path == NULL ? 0 : hd_cache_store(path, key, bytes, length);
  if (path != NULL && problem == 0) {
    *strrchr(path, '/') = 0;
    hd_cache_bound(path, hd_cache_limit());
  }
  free(path);
  return problem;
}
