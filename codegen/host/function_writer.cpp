#include "codegen/host/function_writer.h"

#include <algorithm>

#include "codegen/host/lifetimes.h"
#include "codegen/host/straight.h"
#include "runtime/device/limits.h"

namespace heddle::codegen::host {

std::vector<std::string> c_shape(const seg::Type& type) {
  std::vector<std::string> texts;
  for (const seg::Dim& d : type.dims) texts.push_back(c_value(d.size()));
  return texts;
}

FunctionWriter::Kind FunctionWriter::kind_of(const seg::Type& type) {
  if (type.is_array()) return Kind::Array;
  return type.is_acc() || type.elem == prim::Type::Unit ? Kind::Nothing : Kind::Scalar;
}

FunctionWriter::Kind FunctionWriter::kind(const seg::SubExp& value) const {
  if (!value.is_var()) return value.value().type == prim::Type::Unit ? Kind::Nothing : Kind::Scalar;
  auto it = kinds_.find(value.name());
  return it == kinds_.end() ? Kind::Nothing : it->second;
}

// ---- Variables. ----

void FunctionWriter::declare_array(const std::string& c_name) {
  if (declared_.insert(c_name).second) arrays_.push_back(c_name);
}

void FunctionWriter::bind(const Name& name, const seg::Type& type) {
  Kind kind = kind_of(type);
  kinds_[name] = kind;
  if (kind == Kind::Array) declare_array(c_name(name));
}

void FunctionWriter::bind_declared(const Name& name, const seg::Type& type) {
  bind(name, type);
  if (kind_of(type) == Kind::Scalar) out_.line("{} {};", prim::c_type(type.elem), c_name(name));
}

void FunctionWriter::define(const seg::PatElem& elem, const std::string& value) {
  if (kind_of(elem.type) != Kind::Scalar) return;
  out_.line("{} {} = {};", prim::c_type(elem.type.elem), c_name(elem.name), value);
}

void FunctionWriter::alias(const std::string& dst, const Name& src, Ending& ending) {
  if (ending.take(src)) {
    out_.line("move_array(&{}, &{});", dst, c_name(src));
  } else {
    out_.line("hd_array_share(&{}, &{});", dst, c_name(src));
  }
}

void FunctionWriter::deliver(const seg::Pat& elems, size_t first, const Results& results, size_t first_result,
                             Ending& ending) {
  for (size_t i = 0; first + i < elems.size(); ++i) {
    const seg::PatElem& elem = elems[first + i];
    const seg::SubExp& value = results[first_result + i].value;
    if (kind_of(elem.type) == Kind::Scalar) out_.line("{} = {};", c_name(elem.name), c_value(value));
    if (kind_of(elem.type) != Kind::Array) continue;
    bool again = false;
    for (size_t j = first_result + i + 1; j < results.size(); ++j) again |= results[j].value == value;
    Ending none;
    alias(c_name(elem.name), value.name(), again ? none : ending);
  }
}

std::string FunctionWriter::address(const seg::SubExp& value, prim::Type type) {
  if (value.is_var()) return "&" + c_name(value.name());
  std::string name = fresh("value");
  out_.line("const {} {} = {};", prim::c_type(type), name, c_value(value));
  return "&" + name;
}

std::string FunctionWriter::fresh(const std::string& base) { return fmt::format("{}{}", base, ++counters_[base]); }

// ---- Blocks. ----

void FunctionWriter::release(const Name& array) { out_.line("hd_array_release(ctx, &{});", c_name(array)); }

void FunctionWriter::release_all(Ending& ending) {
  std::vector<Name> names(ending.names.begin(), ending.names.end());
  std::sort(names.begin(), names.end());
  for (const Name& n : names) release(n);
  ending.names.clear();
}

// Of statements from `begin` on that read elements at places that do not depend on each other.
size_t FunctionWriter::end_of_reads(const seg::Stms& stms, size_t begin, const std::function<bool(size_t)>& is_needed) {
  seg::NameSet read;
  size_t end = begin;
  for (; end < stms.size() && end - begin < HD_MAX_READS && reads_element(*stms[end]) && is_needed(end); ++end) {
    for (const Name& n : seg::free_names(*stms[end])) {
      if (read.contains(n)) return end;
    }
    read.insert(stms[end]->pat[0].name);
  }
  return end;
}

void FunctionWriter::block(const seg::Stms& stms, const Results& result, const std::vector<Name>& owned,
                           const Finish& finish) {
  Lifetimes ends = lifetimes(program_, stms, result, owned);
  auto is_needed = [&](size_t i) {
    return !survey_.unneeded.contains(stms[i].get()) && !is_unneeded(*stms[i], ends.ends_after[i]);
  };
  for (size_t i = 0, next = 0; i < stms.size(); i = next) {
    next = i + 1;
    if (!is_needed(i)) continue;
    next = std::max(next, end_of_reads(stms, i, is_needed));
    Ending ending;
    for (size_t k = i; k < next; ++k) ending.names.insert(ends.ends_after[k].begin(), ends.ends_after[k].end());
    if (next == i + 1) {
      statement(*stms[i], ending);
    } else {
      read_elements(stms, i, next);
    }
    release_all(ending);
  }
  Ending ending{{ends.in_result.begin(), ends.in_result.end()}};
  finish(result, ending);
  release_all(ending);
}

void FunctionWriter::statement(const seg::Stm& stm, Ending& ending) {
  for (const seg::PatElem& p : stm.pat) bind(p.name, p.type);
  std::visit(
      [&](const auto& exp) {
        if constexpr (!kRefused<std::decay_t<decltype(exp)>>) emit(stm, exp, ending);
      },
      stm.exp);
}

std::string FunctionWriter::finish_function(const std::string& head, const seg::Stms& stms) {
  CWriter function;
  function.open("{}static int {}", every_loop_launches(stms) ? "HD_STRAIGHT " : "", head);
  function.line("int status = HD_SUCCESS;");
  for (const std::string& a : arrays_) function.line("struct hd_array {} = {{0}};", a);
  function.raw(out_.text());
  function.label("done");
  for (const std::string& a : arrays_) function.line("hd_array_release(ctx, &{});", a);
  function.line("return status;");
  function.close();
  return function.text();
}

}  // namespace heddle::codegen::host
