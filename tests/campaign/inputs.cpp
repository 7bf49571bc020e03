#include "tests/campaign/inputs.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "ir/prim/prim.h"

namespace heddle::campaign {

namespace {

int elem_bytes(const std::string& type) {
  if (type == "bool" || type == "i8" || type == "u8") return 1;
  if (type.ends_with("16")) return 2;
  return type.ends_with("32") ? 4 : 8;
}

int64_t product(const std::vector<int64_t>& dims) {
  int64_t n = 1;
  for (int64_t d : dims) n *= d;
  return n;
}

std::vector<int64_t> shape_of(const Param& p, const Values& sizes) {
  std::vector<int64_t> shape;
  for (const Number& d : p.dims) shape.push_back(std::max<int64_t>(d.value(sizes), 0));
  return shape;
}

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_float(std::string& bytes, const std::string& type, double x) {
  if (type == "f64") return append(bytes, x);
  if (type == "f32") return append(bytes, static_cast<float>(x));
  append(bytes, static_cast<uint16_t>(prim::float_bits(prim::Value::of_float(prim::Type::F16, x))));
}

enum class Mood { Small, Wild };  // wild: whole range of integers; floats with infinities and NaN among them

void append_elem(std::string& bytes, Random& random, const std::string& type, Mood mood, bool units) {
  if (type == "bool") return append(bytes, static_cast<int8_t>(random.below(2)));
  if (is_float(type)) {
    double x = static_cast<double>(type == "f16" ? random.between(-1, 1) : random.between(-3, 3));
    if (units) x = random.percent(50) ? 1 : -1;
    if (mood == Mood::Wild && random.percent(2)) {
      static const std::vector<double> odd = {std::numeric_limits<double>::infinity(),
                                              -std::numeric_limits<double>::infinity(),
                                              std::numeric_limits<double>::quiet_NaN()};
      x = random.pick(odd);
    }
    return append_float(bytes, type, x);
  }
  int64_t x = random.between(type[0] == 'u' ? 0 : -3, type[0] == 'u' ? 6 : 3);
  if (mood == Mood::Wild)
    x = static_cast<int64_t>(static_cast<uint64_t>(random.below(INT64_MAX)) * 2 +
                             static_cast<uint64_t>(random.below(2)));
  // Of integers that become factors of floats, the product must be exact as well.
  if (units) x = type[0] == 'u' || random.percent(50) ? 1 : -1;
  bytes.append(reinterpret_cast<const char*>(&x), static_cast<size_t>(elem_bytes(type)));
}

// A stored value taken apart.
struct Stored {
  std::string header, type, data;
};

Stored parse(const std::string& bytes) {
  Stored s;
  if (bytes.size() < 7) return s;
  size_t rank = static_cast<unsigned char>(bytes[2]), begin = 7 + 8 * rank;
  if (bytes.size() < begin) return s;
  s.header = bytes.substr(0, begin);
  s.type = bytes.substr(3, 4);
  s.data = bytes.substr(begin);
  return s;
}

template <class T>
bool same_float(T a, T b) {
  return a == b || (a != a && b != b);
}

bool same_half(uint16_t a, uint16_t b) {
  auto magnitude = [](uint16_t x) { return x & 0x7fff; };
  bool both_zero = magnitude(a) == 0 && magnitude(b) == 0;
  return a == b || both_zero || (magnitude(a) > 0x7c00 && magnitude(b) > 0x7c00);
}

template <class T, class Same>
bool all_same(const std::string& a, const std::string& b, Same same) {
  for (size_t i = 0; i + sizeof(T) <= a.size(); i += sizeof(T)) {
    T x, y;
    std::memcpy(&x, a.data() + i, sizeof x);
    std::memcpy(&y, b.data() + i, sizeof y);
    if (!same(x, y)) return false;
  }
  return true;
}

}  // namespace

Values draw_sizes(Random& random, const Entry& entry) {
  static const std::vector<int64_t> starts = {8, 20, 40, 70, 130};
  double most = static_cast<double>(random.pick(starts));
  const Contraction& c = entry.contraction;
  int64_t most_terms = c.type == "f16" ? 200 : 60000;  // that are summed exactly, and of one call
  for (;; most = most > 1 ? 0.8 * most : 1) {
    Values values;
    for (const Size& s : c.sizes) values[s.name] = s.draw(random, values, static_cast<int64_t>(most));
    std::vector<int64_t> points, terms;
    for (size_t i = 0; i < c.indices.size(); ++i) {
      int64_t n = std::max<int64_t>(c.indices[i].extent.value(values), 0);
      // Indices behind the parallel ones that were merged from others count twice, which does no harm.
      (i < c.num_parallel ? points : terms).push_back(std::min<int64_t>(n, 1000));
    }
    int64_t num_points = product(points), num_terms = product(terms), num_elems = 0;
    for (const Param& p : entry.params) num_elems = std::max(num_elems, product(shape_of(p, values)));
    if (most <= 1) return values;
    if (num_terms <= most_terms && num_points * std::max<int64_t>(num_terms, 1) <= 60000 && num_points <= 20000 &&
        num_elems <= 60000)
      return values;
  }
}

std::string draw_inputs(Random& random, const Entry& entry, const Values& sizes) {
  Mood mood = random.percent(is_float(entry.contraction.type) ? 10 : 30) ? Mood::Wild : Mood::Small;
  bool units = is_float(entry.contraction.type) && entry.contraction.reduce == "*";
  std::string bytes;
  for (const Param& p : entry.params) {
    std::vector<int64_t> shape = shape_of(p, sizes);
    bytes += 'b';
    bytes += static_cast<char>(2);
    bytes += static_cast<char>(shape.size());
    bytes += fmt::format("{:>4}", p.type);
    for (int64_t d : shape) append(bytes, d);
    if (p.is_size) {
      append(bytes, sizes.at(p.name));
      continue;
    }
    for (int64_t n = product(shape); n > 0; --n) append_elem(bytes, random, p.type, mood, units);
  }
  return bytes;
}

std::string names_and_types(const Entry& entry) {
  std::string text;
  for (const Param& p : entry.params) {
    std::string type;
    for (size_t d = 0; d < p.dims.size(); ++d) type += "[]";
    text += fmt::format(" {} {}{}", p.name, type, p.type);
  }
  return text;
}

bool same_values(const std::string& a, const std::string& b) {
  Stored x = parse(a), y = parse(b);
  if (x.header != y.header || x.data.size() != y.data.size() || x.header.empty()) return false;
  if (x.type == " f64") return all_same<double>(x.data, y.data, same_float<double>);
  if (x.type == " f32") return all_same<float>(x.data, y.data, same_float<float>);
  if (x.type == " f16") return all_same<uint16_t>(x.data, y.data, same_half);
  return x.data == y.data;
}

}  // namespace heddle::campaign
