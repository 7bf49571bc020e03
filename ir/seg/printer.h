// Writes seg programs in Futhark's own syntax: token for token what the host compiler prints, laid out in our own way.
#pragma once

#include <string>
#include <string_view>

#include "ir/seg/syntax.h"

namespace heddle::seg {

std::string print(const Program& program);

// Pieces, for messages.
std::string print(const FunDef& function);
std::string print(const Name& name);
std::string print(const SubExp& value);
std::string print(const Type& type);
std::string print(const RetType& type);
std::string print(const Param& param);
std::string print(const PatElem& elem);
std::string print(const Exp& exp);
std::string print(const Stm& stm);
std::string print(const Body& body);
std::string print(const KernelBody& body);
std::string print(const KernelResult& result);
std::string print(const Lambda& lambda);
std::string print(const SegSpace& space);
std::string print(const SegLevel& level);
std::string print(const SizeClass& size_class);
std::string print(const ValueType& type);
std::string print(const EntryType& type);
std::string print(const OpaqueDef& type);
std::string print(const Attr& attr);

// In quotes and with Haskell's escapes, as messages and locations of asserts are printed.
std::string quote(std::string_view text);

}  // namespace heddle::seg
