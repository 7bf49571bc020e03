// Arrays: making, reading and writing them.
#include <algorithm>

#include "ir/seg/eval_machine.h"

namespace heddle::seg {

bool flat_index(const std::vector<int64_t>& shape, const std::vector<int64_t>& index, int64_t& flat) {
  flat = 0;
  for (size_t i = 0; i < index.size(); i++) {
    if (index[i] < 0 || index[i] >= shape[i]) return false;
    flat = flat * shape[i] + index[i];
  }
  return true;
}

bool next_index(const std::vector<int64_t>& shape, std::vector<int64_t>& index) {
  for (size_t i = shape.size(); i-- > 0;) {
    if (++index[i] < shape[i]) return true;
    index[i] = 0;
  }
  return false;
}

Array Machine::make_array(prim::Type elem, std::vector<int64_t> shape) {
  auto count = element_count(shape);
  for (int64_t n : shape) {
    if (n < 0) broken("An array of shape [{}] is made.", fmt::join(shape, "]["));
  }
  if (!count || *count > options_.max_cells - *live_cells_) {
    throw Stop{Outcome::Limit,
               fmt::format("The program needs too much memory, for an array of shape [{}].", fmt::join(shape, "][")),
               {}};
  }
  tick(*count / 8);
  *live_cells_ += *count;
  auto release = [live = live_cells_, count = *count](std::vector<int64_t>* cells) {
    *live -= count;
    delete cells;
  };
  return Array{elem, std::move(shape),
               std::shared_ptr<std::vector<int64_t>>(new std::vector<int64_t>(static_cast<size_t>(*count)), release)};
}

void Machine::own(Array& a) {
  if (a.cells.use_count() == 1) return;
  Array copy = make_array(a.elem, a.shape);
  *copy.cells = *a.cells;
  a = std::move(copy);
}

Cell Machine::part(const Array& a, int64_t offset, std::vector<int64_t> shape) {
  if (shape.empty()) return a.at(offset);
  int64_t count = *element_count(shape);
  if (count == a.size()) return Array{a.elem, std::move(shape), a.cells};
  Array result = make_array(a.elem, std::move(shape));
  std::copy_n(a.cells->begin() + offset, count, result.cells->begin());
  return result;
}

void Machine::put_part(Array& a, int64_t offset, const Cell& value, int64_t size) {
  if (auto* v = std::get_if<prim::Value>(&value)) {
    if (size != 1 || v->type != a.elem) broken("A scalar is written where an array is needed.");
    (*a.cells)[static_cast<size_t>(offset)] = to_cell(*v);
    return;
  }
  auto* from = std::get_if<Array>(&value);
  if (auto* m = std::get_if<Misfit>(&value)) broken("{}", *m->reason);
  if (!from || from->size() != size || from->elem != a.elem)
    broken("A value of the wrong type or size is written into an array.");
  tick(size / 8);
  std::copy_n(from->cells->begin(), size, a.cells->begin() + offset);
}

Machine::Collector::Collector(Machine& m, const std::vector<int64_t>& outer, const Type& elem)
    : machine_(m), outer_(outer) {
  if (outer.empty() || elem.is_acc()) return;
  inner_ = m.sizes(elem);
  inner_size_ = element_count(inner_).value_or(0);
  std::vector<int64_t> shape = outer;
  shape.insert(shape.end(), inner_.begin(), inner_.end());
  result_ = m.make_array(elem.elem, std::move(shape));
}

void Machine::Collector::put(int64_t position, Cell value) {
  auto* result = std::get_if<Array>(&result_);
  if (outer_.empty() || !result) {
    result_ = std::move(value);
    return;
  }
  if (auto* m = std::get_if<Misfit>(&value)) broken("{}", *m->reason);
  auto* a = std::get_if<Array>(&value);
  if (a ? a->shape != inner_ : !inner_.empty()) broken("The values collected into an array differ in shape.");
  machine_.put_part(*result, position * inner_size_, value, inner_size_);
}

// ---- Slices. ----

bool Machine::slice_cells(const Array& a, const Slice& slice, std::vector<int64_t>& shape,
                          std::vector<int64_t>& cells) {
  if (slice.size() != a.shape.size())
    broken("An array of {} dimensions is indexed with {}.", a.shape.size(), slice.size());
  struct Range {
    int64_t start, count, stride;
  };
  std::vector<Range> ranges;
  for (const DimIndex& d : slice) {
    if (auto* fix = std::get_if<DimFix>(&d)) {
      ranges.push_back({integer(fix->index), 1, 0});
    } else {
      const DimSlice& s = std::get<DimSlice>(d);
      ranges.push_back({integer(s.start), integer(s.count), integer(s.stride)});
      shape.push_back(ranges.back().count);
    }
  }
  auto count = element_count(shape);
  if (!count) broken("A slice of shape [{}] is taken.", fmt::join(shape, "]["));
  if (*count == 0) return true;
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < ranges.size(); i++) {
    const Range& r = ranges[i];
    __int128 last = r.start + static_cast<__int128>(r.count - 1) * r.stride;
    if (r.start < 0 || r.start >= a.shape[i] || last < 0 || last >= a.shape[i]) return false;
    sizes.push_back(r.count);
  }
  tick(*count / 8);
  cells.reserve(static_cast<size_t>(*count));
  std::vector<int64_t> index(sizes.size(), 0);
  do {
    int64_t flat = 0;
    for (size_t i = 0; i < ranges.size(); i++) flat = flat * a.shape[i] + ranges[i].start + index[i] * ranges[i].stride;
    cells.push_back(flat);
  } while (next_index(sizes, index));
  return true;
}

bool Machine::slice_cells(const Array& a, const FlatSlice& slice, std::vector<int64_t>& shape,
                          std::vector<int64_t>& cells) {
  if (a.shape.size() != 1) broken("A flat slice is taken of an array of {} dimensions.", a.shape.size());
  std::vector<int64_t> strides;
  for (const FlatDim& d : slice.dims) {
    shape.push_back(integer(d.count));
    strides.push_back(integer(d.stride));
  }
  auto count = element_count(shape);
  if (!count) broken("A flat slice of shape [{}] is taken.", fmt::join(shape, "]["));
  if (*count == 0) return true;
  tick(*count / 8);
  std::vector<int64_t> index(shape.size(), 0);
  do {
    __int128 flat = integer(slice.offset);
    for (size_t i = 0; i < index.size(); i++) flat += static_cast<__int128>(index[i]) * strides[i];
    if (flat < 0 || flat >= a.shape[0]) return false;
    cells.push_back(static_cast<int64_t>(flat));
  } while (next_index(shape, index));
  return true;
}

std::string Machine::slice_text(const Slice& slice) const {
  std::vector<std::string> parts;
  for (const DimIndex& d : slice) {
    if (auto* fix = std::get_if<DimFix>(&d)) {
      parts.push_back(std::to_string(integer(fix->index)));
    } else {
      const DimSlice& s = std::get<DimSlice>(d);
      parts.push_back(fmt::format("{}:+{}*{}", integer(s.start), integer(s.count), integer(s.stride)));
    }
  }
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

Cell Machine::read_cells(const Array& a, std::vector<int64_t> shape, const std::vector<int64_t>& cells) {
  if (shape.empty()) return a.at(cells.at(0));
  Array result = make_array(a.elem, std::move(shape));
  for (size_t i = 0; i < cells.size(); i++) (*result.cells)[i] = (*a.cells)[static_cast<size_t>(cells[i])];
  return result;
}

void Machine::write_cells(Array& a, const std::vector<int64_t>& cells, const Cell& value) {
  own(a);
  if (auto* v = std::get_if<prim::Value>(&value)) {
    if (cells.size() != 1 || v->type != a.elem) broken("A scalar is written where an array is needed.");
    (*a.cells)[static_cast<size_t>(cells[0])] = to_cell(*v);
    return;
  }
  auto* from = std::get_if<Array>(&value);
  if (auto* m = std::get_if<Misfit>(&value)) broken("{}", *m->reason);
  if (!from || from->cells->size() != cells.size() || from->elem != a.elem) {
    broken("A value of the wrong type or size is written into an array.");
  }
  for (size_t i = 0; i < cells.size(); i++) (*a.cells)[static_cast<size_t>(cells[i])] = (*from->cells)[i];
}

Cell Machine::eval(const Index& e) {
  if (auto* m = misfit(e.array)) {
    bool element =
        std::all_of(e.slice.begin(), e.slice.end(), [](auto& d) { return std::holds_alternative<DimFix>(d); });
    if (element) broken("{}", *m->reason);
    return *m;
  }
  const Array& a = array(e.array);
  // The everyday case, without building lists of cells.
  if (std::all_of(e.slice.begin(), e.slice.end(),
                  [](const DimIndex& d) { return std::holds_alternative<DimFix>(d); }) &&
      e.slice.size() == a.shape.size()) {
    int64_t flat = 0;
    for (size_t i = 0; i < e.slice.size(); i++) {
      int64_t index = integer(std::get<DimFix>(e.slice[i]).index);
      if (index < 0 || index >= a.shape[i]) {
        broken("{}{} is out of bounds: the shape is [{}].", e.array.text(), slice_text(e.slice),
               fmt::join(a.shape, "]["));
      }
      flat = flat * a.shape[i] + index;
    }
    return a.at(flat);
  }
  std::vector<int64_t> shape, cells;
  if (!slice_cells(a, e.slice, shape, cells)) {
    return make_misfit("{}{} is out of bounds: the shape is [{}].", e.array.text(), slice_text(e.slice),
                       fmt::join(a.shape, "]["));
  }
  return read_cells(a, std::move(shape), cells);
}

Cell Machine::eval(const Update& e) {
  Cell value = get(e.value);
  std::vector<int64_t> shape, cells;
  std::vector<int64_t> bounds = array(e.array).shape;
  bool in_bounds = slice_cells(array(e.array), e.slice, shape, cells);
  if (!in_bounds && !e.safe) {
    broken("{}{} is updated out of bounds: the shape is [{}].", e.array.text(), slice_text(e.slice),
           fmt::join(bounds, "]["));
  }
  Array a = take(e.array);
  if (in_bounds) write_cells(a, cells, value);
  return a;
}

Cell Machine::eval(const FlatIndex& e) {
  if (auto* m = misfit(e.array)) return *m;
  const Array& a = array(e.array);
  std::vector<int64_t> shape, cells;
  if (!slice_cells(a, e.slice, shape, cells))
    return make_misfit("A flat slice of {} is out of bounds.", e.array.text());
  return read_cells(a, std::move(shape), cells);
}

Cell Machine::eval(const FlatUpdate& e) {
  Cell value = get(e.value);
  std::vector<int64_t> shape, cells;
  if (!slice_cells(array(e.array), e.slice, shape, cells)) {
    broken("A flat slice of {} is updated out of bounds.", e.array.text());
  }
  Array a = take(e.array);
  write_cells(a, cells, value);
  return a;
}

// ---- New arrays. ----

Cell Machine::eval(const ArrayLit& e) {
  Collector c(*this, {static_cast<int64_t>(e.elems.size())}, e.row_type);
  for (size_t i = 0; i < e.elems.size(); i++) c.put(static_cast<int64_t>(i), get(e.elems[i]));
  return c.finish();
}

Cell Machine::eval(const ArrayVal& e) {
  Array a = make_array(e.elem_type, {static_cast<int64_t>(e.elems.size())});
  for (size_t i = 0; i < e.elems.size(); i++) (*a.cells)[i] = to_cell(e.elems[i]);
  return a;
}

Cell Machine::eval(const Concat& e) {
  if (e.arrays.empty()) broken("concat of nothing.");
  std::vector<int64_t> shape = array(e.arrays[0]).shape;
  auto dim = static_cast<size_t>(e.dim);
  if (dim >= shape.size()) broken("concat@{} of arrays of {} dimensions.", e.dim, shape.size());
  int64_t width = 0;
  for (const Name& n : e.arrays) {
    std::vector<int64_t> s = array(n).shape;
    if (s.size() != shape.size()) broken("concat of arrays of different shapes.");
    width += s[dim];
    s[dim] = shape[dim];
    if (s != shape) broken("concat of arrays of different shapes.");
  }
  if (width != integer(e.width)) broken("concat is to yield size {}, but yields {}.", integer(e.width), width);
  int64_t blocks = *element_count({shape.begin(), shape.begin() + e.dim});
  int64_t row = *element_count({shape.begin() + e.dim + 1, shape.end()});
  shape[dim] = width;
  Array result = make_array(array(e.arrays[0]).elem, shape);
  int64_t next = 0;
  for (int64_t b = 0; b < blocks; b++) {
    for (const Name& n : e.arrays) {
      const Array& a = array(n);
      int64_t size = a.shape[dim] * row;
      std::copy_n(a.cells->begin() + b * size, size, result.cells->begin() + next);
      next += size;
    }
  }
  return result;
}

Cell Machine::eval(const Manifest& e) {
  if (auto* m = misfit(e.array)) return *m;
  return array(e.array);
}

Cell Machine::eval(const Iota& e) {
  Array a = make_array(e.elem, {integer(e.count)});
  auto start = static_cast<uint64_t>(integer(e.start)), stride = static_cast<uint64_t>(integer(e.stride));
  for (size_t i = 0; i < a.cells->size(); i++) {
    (*a.cells)[i] = prim::Value::of_int(e.elem, static_cast<int64_t>(start + i * stride)).i;
  }
  return a;
}

Cell Machine::eval(const Replicate& e) {
  Cell value = get(e.value);
  std::vector<int64_t> shape = sizes(e.shape);
  if (shape.empty()) return value;
  if (auto* v = std::get_if<prim::Value>(&value)) {
    Array a = make_array(v->type, shape);
    std::fill(a.cells->begin(), a.cells->end(), to_cell(*v));
    return a;
  }
  auto* row = std::get_if<Array>(&value);
  if (auto* m = std::get_if<Misfit>(&value)) broken("{}", *m->reason);
  if (!row) broken("An accumulator is replicated.");
  shape.insert(shape.end(), row->shape.begin(), row->shape.end());
  Array a = make_array(row->elem, shape);
  for (int64_t i = 0; i < a.size(); i += row->size())
    std::copy_n(row->cells->begin(), row->size(), a.cells->begin() + i);
  return a;
}

Cell Machine::eval(const Scratch& e) {
  Array a = make_array(e.elem, sizes(e.shape));
  // Something conspicuous, so that whoever relies on it is found out.
  prim::Value junk = prim::is_float(e.elem) ? prim::Value::of_float(e.elem, -12345)
                     : prim::is_int(e.elem) ? prim::Value::of_int(e.elem, 0x5a5a5a5a5a5a5a5a)
                                            : prim::one(e.elem);
  std::fill(a.cells->begin(), a.cells->end(), to_cell(junk));
  return a;
}

Cell Machine::eval(const Reshape& e) {
  if (auto* m = misfit(e.array)) return *m;
  const Array& a = array(e.array);
  std::vector<int64_t> shape = sizes(e.shape);
  if (e.coerce ? shape != a.shape : element_count(shape) != a.size()) {
    return make_misfit("{} of shape [{}] is reshaped to [{}].", e.array.text(), fmt::join(a.shape, "]["),
                       fmt::join(shape, "]["));
  }
  if (shape.empty()) return a.at(0);
  return Array{a.elem, std::move(shape), a.cells};
}

Cell Machine::eval(const Rearrange& e) {
  if (auto* m = misfit(e.array)) return *m;
  const Array& a = array(e.array);
  if (e.perm.size() != a.shape.size()) broken("A permutation does not fit the array's dimensions.");
  std::vector<int64_t> shape, stride(a.shape.size(), 1), step;
  for (size_t i = a.shape.size(); i-- > 1;) stride[i - 1] = stride[i] * a.shape[i];
  for (int p : e.perm) {
    if (p < 0 || static_cast<size_t>(p) >= a.shape.size()) broken("A permutation does not fit the array's dimensions.");
    shape.push_back(a.shape[static_cast<size_t>(p)]);
    step.push_back(stride[static_cast<size_t>(p)]);
  }
  Array result = make_array(a.elem, shape);
  if (result.size() != a.size()) broken("What should be a permutation is none.");
  std::vector<int64_t> index(shape.size(), 0);
  for (size_t i = 0; i < result.cells->size(); i++) {
    int64_t from = 0;
    for (size_t d = 0; d < index.size(); d++) from += index[d] * step[d];
    (*result.cells)[i] = (*a.cells)[static_cast<size_t>(from)];
    next_index(shape, index);
  }
  return result;
}

}  // namespace heddle::seg
