// Scalars, memory, windows and elements: mostly one call of the runtime each.
#include <algorithm>
#include <cmath>

#include "codegen/host/function_writer.h"
#include "codegen/host/tables.h"

namespace heddle::codegen::host {

namespace {

std::string dim_indices(const std::vector<ir::Subscript>& subscripts) {
  std::vector<std::string> dims;
  for (const ir::Subscript& s : subscripts) {
    if (const auto* index = std::get_if<nest::Expr>(&s)) {
      dims.push_back(fmt::format("{{true, {}, 0, 0}}", c_expr(*index)));
    } else {
      const auto& r = std::get<ir::Range>(s);
      dims.push_back(fmt::format("{{false, {}, {}, {}}}", c_expr(r.start), c_expr(r.count), c_expr(r.stride)));
    }
  }
  return fmt::format("(const struct hd_dim_index[]){{{}}}", join(dims));
}

// Whether a static initialiser may hold it: infinities and NaNs are written as calls.
bool is_static(const nest::Expr& e) {
  const auto* c = std::get_if<nest::Const>(&e->node);
  return c && (!prim::is_float(e->type) || std::isfinite(c->value.f));
}

}  // namespace

// ---- Scalars. ----

void FunctionWriter::emit(const ir::Let& s) { define(s.name, s.value->type, c_expr(s.value)); }

void FunctionWriter::emit(const ir::Measure& s) {
  std::string of = array(s.array), value;
  switch (s.aspect) {
    case ir::Aspect::Size:
      value = fmt::format("{}.shape[{}]", of, s.dim);
      break;
    case ir::Aspect::Stride:
      value = fmt::format("{}.stride[{}]", of, s.dim);
      break;
    case ir::Aspect::Alignment:
      value = fmt::format("hd_array_alignment(&{})", of);
      break;
    case ir::Aspect::Address:
      value = fmt::format("hd_array_element_address(&{})", of);
      break;
  }
  define(s.name, prim::Type::I64, value);
}

void FunctionWriter::emit(const ir::Ask& s) {
  std::string args = join(c_exprs(s.args)), value;
  switch (s.question) {
    case ir::Question::Parts:
      value = fmt::format("hd_parts(ctx, {})", args);
      break;
    case ir::Question::DetourPays:
      value = fmt::format("hd_detour_pays(ctx, {})", args);
      break;
    case ir::Question::RowAlignment:
      value = fmt::format("hd_row_alignment({})", args);
      break;
  }
  define(s.name, prim::Type::I64, value);
}

void FunctionWriter::emit(const ir::GetParam& s) {
  define(s.name, prim::Type::I64, fmt::format("hd_param(ctx, {})", ir::param_number(program_, s.param)));
}

void FunctionWriter::emit(const ir::GetMax& s) {
  define(s.name, prim::Type::I64, fmt::format("hd_param_max(ctx, {})", c_tuning_class(s.kind)));
}

void FunctionWriter::emit(const ir::Compare& s) {
  define(s.name, prim::Type::Bool,
         fmt::format("hd_compare_threshold(ctx, {}, {})", ir::param_number(program_, s.param), c_expr(s.value)));
}

void FunctionWriter::emit(const ir::ReadElement& s) {
  if (!reaches_arrays_ || !has_text(s.type)) {
    out_.line("{} {};", prim::c_type(s.type), c_name(s.name));
    return try_call("hd_array_read(ctx, &{}, {}, &{})", array(s.array), c_int64s(s.index), c_name(s.name));
  }
  if (failures_unseen_) try_call("hd_see_failures(ctx)");
  failures_unseen_ = false;
  define(s.name, s.type, element(s.array, s.index, s.type));
}

std::string FunctionWriter::element(const Name& name, const std::vector<nest::Expr>& index, prim::Type type) const {
  const std::string of = array(name);
  std::string place = of + ".offset";
  for (size_t d = 0; d < index.size(); ++d) place += fmt::format(" + ({}) * {}.stride[{}]", c_expr(index[d]), of, d);
  return fmt::format("(({} *){}.mem->address)[{}]", prim::c_type(type), of, place);
}

// ---- Memory. ----

void FunctionWriter::emit(const ir::Alloc& s) {
  std::string dst = declare(s.name), shape = c_int64s(s.shape);
  bool row_major = ir::is_row_major(s.order);
  if (s.from) {
    try_call("hd_array_alloc_from(ctx, &{}, &{}, {}, {}, {}, {})", dst, array(*s.from), c_enum(s.elem), s.shape.size(),
             shape, row_major ? "NULL" : c_ints(s.order));
  } else if (s.for_host) {
    try_call("hd_array_alloc_for_host(ctx, &{}, {}, {}, {})", dst, c_enum(s.elem), s.shape.size(), shape);
  } else if (row_major) {
    try_call("hd_array_alloc(ctx, &{}, {}, {}, {})", dst, c_enum(s.elem), s.shape.size(), shape);
  } else {
    try_call("hd_array_alloc_permuted(ctx, &{}, {}, {}, {}, {})", dst, c_enum(s.elem), s.shape.size(), shape,
             c_ints(s.order));
  }
}

void FunctionWriter::emit(const ir::Free& s) { out_.line("hd_array_release(ctx, &{});", array(s.array)); }

void FunctionWriter::emit(const ir::Share& s) {
  out_.line("hd_array_share(&{}, &{});", declare(s.name), array(s.array));
}

// ---- Windows. ----

void FunctionWriter::emit(const ir::Slice& s) {
  out_.line("hd_array_slice(&{}, &{}, {});", declare(s.name), array(s.array), dim_indices(s.subscripts));
}

void FunctionWriter::emit(const ir::FlatSlice& s) {
  out_.line("hd_array_flat_slice(&{}, &{}, {}, {}, {}, {});", declare(s.name), array(s.array), c_expr(s.offset),
            s.counts.size(), c_int64s(s.counts), c_int64s(s.strides));
}

void FunctionWriter::emit(const ir::Rearrange& s) {
  out_.line("hd_array_rearrange(&{}, &{}, {});", declare(s.name), array(s.array), c_ints(s.perm));
}

void FunctionWriter::emit(const ir::Broadcast& s) {
  out_.line("broadcast_array(&{}, &{}, {}, {});", declare(s.name), array(s.array), s.sizes.size(), c_int64s(s.sizes));
}

void FunctionWriter::emit(const ir::Reshape& s) {
  try_call("hd_array_reshape(ctx, &{}, &{}, {}, {})", declare(s.name), array(s.array), s.shape.size(),
           c_int64s(s.shape));
}

// ---- Elements. ----

void FunctionWriter::emit(const ir::Manifest& s) {
  if (ir::is_row_major(s.order)) return try_call("hd_array_copy(ctx, &{}, &{})", declare(s.name), array(s.array));
  try_call("hd_array_manifest(ctx, &{}, &{}, {})", declare(s.name), array(s.array), c_ints(s.order));
}

// Whoever gets the result may consume it, which no constant may suffer.
void FunctionWriter::emit(const ir::Deliver& s) {
  std::string result = declare(s.name);
  try_call("hd_array_dense(ctx, &{}, &{})", result, array(s.array));
  for (size_t c : constants_in_use_) {
    out_.open("if ({0}.mem != NULL && {0}.mem == hd_constants(ctx)[{1}].array.mem)", result, c);
    try_call("unshare_array(ctx, &{})", result);
    out_.close();
  }
}

void FunctionWriter::emit(const ir::Copy& s) { try_call("hd_array_assign(ctx, &{}, &{})", array(s.to), array(s.from)); }

void FunctionWriter::emit(const ir::Pack& s) {
  try_call("hd_array_pack(ctx, &{}, &{}, {}, {}, {}, {})", array(s.to), array(s.from), s.shape.size(),
           c_int64s(s.shape), c_int64s(s.to_strides), c_int64s(s.from_strides));
}

void FunctionWriter::emit(const ir::Fill& s) {
  std::string value = address(s.value);
  try_call("hd_array_fill(ctx, &{}, {})", array(s.array), value);
}

void FunctionWriter::emit(const ir::Iota& s) {
  try_call("hd_array_iota(ctx, &{}, {}, {})", array(s.array), c_expr(s.start), c_expr(s.step));
}

void FunctionWriter::emit(const ir::Upload& s) {
  std::string name = fresh("values");
  out_.open("{}const {} {}[{}] =", std::ranges::all_of(s.values, is_static) ? "static " : "",
            prim::c_type(s.values[0]->type), name, s.values.size());
  out_.list(c_exprs(s.values));
  out_.close(";");
  try_call("hd_array_upload(ctx, &{}, {})", array(s.array), name);
}

void FunctionWriter::emit(const ir::WriteElement& s) {
  if (reaches_arrays_ && has_text(s.value->type))
    return out_.line("{} = {};", element(s.array, s.index, s.value->type), c_expr(s.value));
  const std::string value = address(s.value);
  try_call("hd_array_write(ctx, &{}, {}, {})", array(s.array), c_int64s(s.index), value);
}

void FunctionWriter::emit(const ir::Trace& s) {
  out_.open("");
  if (const auto* traced = std::get_if<Name>(&s.value)) {
    out_.line("struct hd_constituent traced = {{.is_array = true, .elem = {0}.elem, .array = {0}}};", array(*traced));
  } else {
    const auto& value = std::get<nest::Expr>(s.value);
    out_.line("struct hd_constituent traced = {{.elem = {}}};", c_enum(value->type));
    out_.line("traced.scalar.{} = {};", c_member(value->type), c_expr(value));
  }
  out_.line("hd_trace(ctx, {}, &traced);", c_string(s.tag));
  out_.close();
}

}  // namespace heddle::codegen::host
