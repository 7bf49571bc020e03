// Operations on whole arrays: views, copies, single elements.
#include <numeric>

#include "codegen/host/function_writer.h"

namespace heddle::codegen::host {

using prim::Type;

namespace {

bool is_single(const seg::Slice& slice) {
  for (const seg::DimIndex& d : slice) {
    if (!std::holds_alternative<seg::DimFix>(d)) return false;
  }
  return true;
}

std::vector<std::string> fixed_indices(const seg::Slice& slice) {
  std::vector<std::string> texts;
  for (const seg::DimIndex& d : slice) texts.push_back(c_value(std::get<seg::DimFix>(d).index));
  return texts;
}

std::string c_slice(const seg::Slice& slice) {
  std::vector<std::string> dims;
  for (const seg::DimIndex& d : slice) {
    if (const auto* fix = std::get_if<seg::DimFix>(&d)) {
      dims.push_back(fmt::format("{{true, {}, 0, 0}}", c_value(fix->index)));
    } else {
      const auto& s = std::get<seg::DimSlice>(d);
      dims.push_back(fmt::format("{{false, {}, {}, {}}}", c_value(s.start), c_value(s.count), c_value(s.stride)));
    }
  }
  return fmt::format("(const struct hd_dim_index[]){{{}}}", join(dims));
}

std::string c_flat_slice(const seg::FlatSlice& slice) {
  std::vector<std::string> counts, strides;
  for (const seg::FlatDim& d : slice.dims) {
    counts.push_back(c_value(d.count));
    strides.push_back(c_value(d.stride));
  }
  return fmt::format("{}, {}, {}, {}", c_value(slice.offset), slice.dims.size(), c_int64s(counts), c_int64s(strides));
}

// That `slice` of `array` stays within its bounds.
std::string within_bounds(const std::string& array, const seg::Slice& slice) {
  std::vector<std::string> tests;
  for (size_t i = 0; i < slice.size(); ++i) {
    if (const auto* fix = std::get_if<seg::DimFix>(&slice[i])) {
      tests.push_back(fmt::format("within({}, 1, 1, {}.shape[{}])", c_value(fix->index), array, i));
    } else {
      const auto& s = std::get<seg::DimSlice>(slice[i]);
      tests.push_back(fmt::format("within({}, {}, {}, {}.shape[{}])", c_value(s.start), c_value(s.count),
                                  c_value(s.stride), array, i));
    }
  }
  return join(tests, " && ");
}

}  // namespace

void FunctionWriter::allocate(const std::string& dst, Type elem, const std::vector<std::string>& shape) {
  try_call("hd_array_alloc(ctx, &{}, {}, {}, {})", dst, c_enum(elem), shape.size(), c_int64s(shape));
}

// ---- Literals. ----

void FunctionWriter::upload(const std::string& dst, Type elem, const std::vector<std::string>& values, bool constant) {
  allocate(dst, elem, {fmt::format("{}", values.size())});
  if (values.empty() || elem == Type::Unit) return;
  std::string name = fresh("values");
  out_.open("{}const {} {}[{}] =", constant ? "static " : "", prim::c_type(elem), name, values.size());
  out_.list(values);
  out_.close(";");
  try_call("hd_array_upload(ctx, &{}, {})", dst, name);
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::ArrayVal& e, Ending&) {
  std::vector<std::string> values;
  bool constant = true;
  for (const prim::Value& v : e.elems) {
    values.push_back(e.elem_type == Type::Unit ? "0" : prim::c_literal(v));
    constant &= is_static_constant(v);
  }
  upload(c_name(stm.pat[0].name), e.elem_type, values, constant);
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::ArrayLit& e, Ending&) {
  std::string dst = c_name(stm.pat[0].name);
  if (!e.row_type.is_array()) {
    bool constant = true;
    for (const seg::SubExp& v : e.elems) constant &= is_static_constant(v);
    std::vector<std::string> values =
        e.row_type.elem == Type::Unit ? std::vector<std::string>(e.elems.size(), "0") : c_values(e.elems);
    return upload(dst, e.row_type.elem, values, constant);
  }
  allocate(dst, e.row_type.elem, c_shape(stm.pat[0].type));
  for (size_t i = 0; i < e.elems.size(); ++i) {
    seg::Slice row{seg::DimFix{prim::Value::i64(static_cast<int64_t>(i))}};
    for (const seg::Dim& d : e.row_type.dims) {
      row.push_back(seg::DimSlice{prim::Value::i64(0), d.size(), prim::Value::i64(1)});
    }
    write(dst, row, e.elems[i], e.row_type.elem);
  }
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::Scratch& e, Ending&) {
  allocate(c_name(stm.pat[0].name), e.elem, c_values(e.shape));
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::Iota& e, Ending&) {
  std::string dst = c_name(stm.pat[0].name);
  allocate(dst, e.elem, {c_value(e.count)});
  try_call("hd_array_iota(ctx, &{}, {}, {})", dst, c_value(e.start), c_value(e.stride));
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::Replicate& e, Ending&) {
  std::string dst = c_name(stm.pat[0].name);
  const seg::Type& type = stm.pat[0].type;
  if (!is_array(e.value)) {
    if (!type.is_array()) {
      if (kind_of(type) == Kind::Scalar) define(stm.pat[0], c_value(e.value));
      return;
    }
    allocate(dst, type.elem, c_values(e.shape));
    if (type.elem == Type::Unit) return;
    return try_call("hd_array_fill(ctx, &{}, {})", dst, address(e.value, type.elem));
  }
  if (e.shape.empty()) return try_call("hd_array_copy(ctx, &{}, &{})", dst, c_value(e.value));

  // All rows are read from the one array: a view of it whose outer strides are 0.
  std::vector<std::string> shape = c_values(e.shape), strides(e.shape.size(), "0");
  for (int i = 0; i < type.rank() - static_cast<int>(e.shape.size()); ++i) {
    shape.push_back(fmt::format("{}.shape[{}]", c_value(e.value), i));
    strides.push_back(fmt::format("{}.stride[{}]", c_value(e.value), i));
  }
  allocate(dst, type.elem, shape);
  out_.open("");
  out_.line("struct hd_array rows = {};", c_value(e.value));
  out_.line("rows.rank = {};", type.rank());
  out_.line("const int64_t strides[] = {{{}}};", join(strides));
  out_.line("memcpy(rows.shape, {}.shape, sizeof rows.shape);", dst);
  out_.line("memcpy(rows.stride, strides, sizeof strides);");
  try_call("hd_array_assign(ctx, &{}, &rows)", dst);
  out_.close();
}

// ---- Elements and windows. ----

void FunctionWriter::emit(const seg::Stm& stm, const seg::Index& e, Ending&) {
  const seg::PatElem& result = stm.pat[0];
  if (!is_single(e.slice)) {
    return out_.line("hd_array_slice(&{}, &{}, {});", c_name(result.name), c_name(e.array), c_slice(e.slice));
  }
  if (kind_of(result.type) != Kind::Scalar) return;
  out_.line("{} {};", prim::c_type(result.type.elem), c_name(result.name));
  try_call("hd_array_read(ctx, &{}, {}, &{})", c_name(e.array), c_int64s(fixed_indices(e.slice)), c_name(result.name));
}

bool FunctionWriter::reads_element(const seg::Stm& stm) {
  const auto* e = std::get_if<seg::Index>(&stm.exp);
  return e && is_single(e->slice) && kind_of(stm.pat[0].type) == Kind::Scalar;
}

void FunctionWriter::read_elements(const seg::Stms& stms, size_t begin, size_t end) {
  std::vector<std::string> elements;
  for (size_t i = begin; i < end; ++i) {
    const seg::PatElem& result = stms[i]->pat[0];
    const auto& e = std::get<seg::Index>(stms[i]->exp);
    bind_declared(result.name, result.type);
    elements.push_back(
        fmt::format("{{&{}, {}, &{}}}", c_name(e.array), c_int64s(fixed_indices(e.slice)), c_name(result.name)));
  }
  try_call("hd_array_read_all(ctx, {}, (const struct hd_element[]){{{}}})", elements.size(), join(elements));
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::FlatIndex& e, Ending&) {
  out_.line("hd_array_flat_slice(&{}, &{}, {});", c_name(stm.pat[0].name), c_name(e.array), c_flat_slice(e.slice));
}

void FunctionWriter::write(const std::string& dst, const seg::Slice& slice, const seg::SubExp& value, Type elem) {
  if (elem == Type::Unit) return;
  if (!is_array(value)) {
    std::string source = address(value, elem);
    return try_call("hd_array_write(ctx, &{}, {}, {})", dst, c_int64s(fixed_indices(slice)), source);
  }
  declare_array("window");
  out_.line("hd_array_slice(&window, &{}, {});", dst, c_slice(slice));
  try_call("hd_array_assign(ctx, &window, &{})", c_value(value));
  out_.line("hd_array_release(ctx, &window);");
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::Update& e, Ending& ending) {
  std::string dst = c_name(stm.pat[0].name);
  alias(dst, e.array, ending);
  if (e.safe) out_.open("if ({})", within_bounds(dst, e.slice));
  write(dst, e.slice, e.value, stm.pat[0].type.elem);
  if (e.safe) out_.close();
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::FlatUpdate& e, Ending& ending) {
  std::string dst = c_name(stm.pat[0].name);
  alias(dst, e.array, ending);
  declare_array("window");
  out_.line("hd_array_flat_slice(&window, &{}, {});", dst, c_flat_slice(e.slice));
  try_call("hd_array_assign(ctx, &window, &{})", c_name(e.value));
  out_.line("hd_array_release(ctx, &window);");
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::Concat& e, Ending&) {
  std::string dst = c_name(stm.pat[0].name);
  const seg::Type& type = stm.pat[0].type;
  size_t dim = static_cast<size_t>(e.dim);
  std::vector<std::string> shape;
  for (size_t i = 0; i < type.dims.size(); ++i) {
    shape.push_back(i == dim ? c_value(e.width) : fmt::format("{}.shape[{}]", c_name(e.arrays[0]), i));
  }
  allocate(dst, type.elem, shape);
  declare_array("window");
  out_.open("");
  out_.line("int64_t offset = 0;");
  for (const Name& array : e.arrays) {
    std::vector<std::string> dims;
    for (size_t i = 0; i < type.dims.size(); ++i) {
      dims.push_back(fmt::format("{{false, {}, {}.shape[{}], 1}}", i == dim ? "offset" : "0", c_name(array), i));
    }
    out_.line("hd_array_slice(&window, &{}, (const struct hd_dim_index[]){{{}}});", dst, join(dims));
    try_call("hd_array_assign(ctx, &window, &{})", c_name(array));
    out_.line("hd_array_release(ctx, &window);");
    out_.line("offset += {}.shape[{}];", c_name(array), dim);
  }
  out_.close();
}

// ---- Layout and shape. ----

void FunctionWriter::emit(const seg::Stm& stm, const seg::Manifest& e, Ending&) {
  try_call("hd_array_manifest(ctx, &{}, &{}, {})", c_name(stm.pat[0].name), c_name(e.array), c_ints(e.perm));
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::Rearrange& e, Ending&) {
  out_.line("hd_array_rearrange(&{}, &{}, {});", c_name(stm.pat[0].name), c_name(e.array), c_ints(e.perm));
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::Reshape& e, Ending& ending) {
  std::string dst = c_name(stm.pat[0].name);
  if (e.coerce) return alias(dst, e.array, ending);
  try_call("hd_array_reshape(ctx, &{}, &{}, {}, {})", dst, c_name(e.array), e.shape.size(),
           c_int64s(c_values(e.shape)));
}

}  // namespace heddle::codegen::host
