// Texts that nobody would write, made of texts that are well by small changes: mutations_test NUMBER FILE...
//
// So many changed texts of each file go to the fuzz target, always the same ones.
#include "fuzz_target.h"
#include "support.h"

static uint64_t state = 88172645463325252u;

static size_t up_to(size_t bound) {  // xorshift
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return bound ? (size_t)(state % bound) : 0;
}

struct piece {
  size_t begin, length;
};

static int is_in_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The word, or other character, at or behind a place that is drawn.
static struct piece draw_token(struct text t) {
  size_t begin = up_to(t.length), end;
  while (begin > 0 && is_in_word(t.bytes[begin]) && is_in_word(t.bytes[begin - 1])) begin--;
  for (end = begin + 1; end < t.length && is_in_word(t.bytes[begin]) && is_in_word(t.bytes[end]);) end++;
  return (struct piece){begin, end - begin};
}

static struct piece draw_line(struct text t) {
  size_t begin = up_to(t.length), end;
  while (begin > 0 && t.bytes[begin - 1] != '\n') begin--;
  for (end = begin; end < t.length && t.bytes[end] != '\n';) end++;
  return (struct piece){begin, end + (end < t.length) - begin};
}

// `by` in the place of the piece.
static void replace(struct text* t, struct piece p, const char* by, size_t length) {
  char* bytes = malloc(t->length - p.length + length + 1);
  EXPECT(bytes);
  memcpy(bytes, t->bytes, p.begin);
  memcpy(bytes + p.begin, by, length);
  memcpy(bytes + p.begin + length, t->bytes + p.begin + p.length, t->length - p.begin - p.length);
  free(t->bytes);
  *t = (struct text){bytes, t->length - p.length + length};
}

static void replace_by_own(struct text* t, struct piece p, struct piece by) {
  char* copy = malloc(by.length + 1);
  EXPECT(copy);
  memcpy(copy, t->bytes + by.begin, by.length);
  replace(t, p, copy, by.length);
  free(copy);
}

static void change(struct text* t, struct text other) {
  static const char* const words[] = {
      "0",    "1",    "-1", "9223372036854775807i64", "0i64", "i32", "f16", "[", "{}", "sdiv64", "index_1",
      "unit", "\xff", ""};
  struct piece p = draw_token(*t), q;
  const char* word;
  switch (up_to(7)) {
    case 0:
      word = words[up_to(sizeof words / sizeof *words)];
      replace(t, p, word, strlen(word));
      break;
    case 1:  // a word for another one of the text
    case 2:
      replace_by_own(t, p, draw_token(*t));
      break;
    case 3:
      q = draw_token(other);
      replace(t, p, other.bytes + q.begin, q.length);
      break;
    case 4:
      replace(t, draw_line(*t), "", 0);
      break;
    case 5:  // a line of another text
      q = draw_line(other);
      replace(t, (struct piece){draw_line(*t).begin, 0}, other.bytes + q.begin, q.length);
      break;
    default:  // another digit
      for (size_t i = p.begin; i < t->length; i++) {
        if (t->bytes[i] < '0' || t->bytes[i] > '9') continue;
        t->bytes[i] = (char)('0' + up_to(10));
        break;
      }
  }
}

int main(int argc, char** argv) {
  EXPECT(argc > 2);
  int number = atoi(argv[1]);
  for (int f = 2; f < argc; f++) {
    struct text original = read_file(argv[f]), other = read_file(argv[2 + up_to((size_t)argc - 2)]);
    LLVMFuzzerTestOneInput((const uint8_t*)original.bytes, original.length);
    for (int i = 0; i < number; i++) {
      struct text t = {malloc(original.length + 1), original.length};
      EXPECT(t.bytes);
      memcpy(t.bytes, original.bytes, original.length);
      for (size_t changes = 1 + up_to(2); changes > 0 && t.length > 0; changes--) change(&t, other);
      LLVMFuzzerTestOneInput((const uint8_t*)t.bytes, t.length);
      free(t.bytes);
    }
    free(original.bytes);
    free(other.bytes);
  }
  return 0;
}
