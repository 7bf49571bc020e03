#include "rewrites/nest/pad.h"

#include <fmt/format.h>

#include "ir/nest/printer.h"
#include "rewrites/nest/multiples.h"

namespace heddle::nest {

namespace {

// Throws Refused if several elements are moved at once, which the rows' alignment was decided for.
void check_single(const Kernel& kernel, const Name& buffer) {
  for_each_stmt(kernel.body, [&](const Stmt& s) {
    const auto* f = std::get_if<For>(&s->node);
    const auto* copy = std::get_if<AsyncCopy>(&s->node);
    bool is_wide = (f && f->role == Role::Vector && free_names(f->body).contains(buffer)) ||
                   (copy && copy->to == buffer && int_constant(copy->elems) != 1);
    if (is_wide) refuse(fmt::format("several elements of {} are moved at once", buffer.text()));
  });
}

}  // namespace

Result<Rewritten> pad(const Kernel& kernel, const Name& buffer, const Expr& quantum, const Expr& padding,
                      NameSource& names) {
  return rewrite([&]() -> Rewritten {
    Buffer padded = allocated(kernel, buffer);
    if (padded.dims.size() < 2) refuse(fmt::format("{} has no rows", buffer.text()));
    bool fits = is_fixed(kernel, quantum) && is_fixed(kernel, padding) && is_positive(kernel, quantum, names) &&
                is_positive(kernel, add(padding, constant(int64_t{1})), names);
    if (!fits) refuse(fmt::format("a quantum of {} or a padding of {} is no size", to_text(quantum), to_text(padding)));
    check_single(kernel, buffer);
    std::vector<Expr> occupied = padded.dims;
    occupied.back() = add(round_up(occupied.back(), quantum), padding);
    padded.strides = dense_strides(occupied);
    struct Replace : Rebuilder<Replace> {
      const Buffer& padded;
      explicit Replace(const Buffer& padded) : padded(padded) {}
      void expr(Expr&) {}
      void buffer(Buffer& b) {
        if (b.name == padded.name) b = padded;
      }
    } replace(padded);
    Kernel result = kernel;
    replace.body(result.body);
    return {result, fmt::format("no index of {} leads to what lies between its rows", buffer.text()), {}};
  });
}

}  // namespace heddle::nest
