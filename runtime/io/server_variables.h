// The variables of a server, and how its commands fail.
#ifndef HD_SERVER_VARIABLES_H
#define HD_SERVER_VARIABLES_H

#include "runtime/core/context.h"

// A name that commands can use, and the constituents it owns.
struct hd_variable {
  char* name;
  const struct hd_type* type;
  struct hd_constituent* constituents;  // type->num_constituents
};

struct hd_server {
  const struct hd_program* program;
  struct hd_context* ctx;
  int num_variables;
  int max_variables;
  struct hd_variable* variables;
};

// Prints the failure marker and the message. Everything up to the next "%%% OK" belongs to the message.
__attribute__((format(printf, 1, 2))) HD_API void hd_fail_command(const char* format, ...);
HD_API void hd_fail_with_context_error(struct hd_server* server);

// NULL if there is none.
HD_API struct hd_variable* hd_lookup_variable(struct hd_server* server, const char* name);
// The same, having failed the command if there is none.
HD_API struct hd_variable* hd_find_variable(struct hd_server* server, const char* name);
// Else fails the command.
HD_API bool hd_name_is_free(struct hd_server* server, const char* name);
// A new variable, the last one, whose constituents are blank; NULL, having failed the command, if the name is taken or
// memory ran out. Moves the other variables.
HD_API struct hd_variable* hd_add_variable(struct hd_server* server, const char* name, const struct hd_type* type);
HD_API void hd_drop_variable(struct hd_server* server, struct hd_variable* variable);  // the last one takes its place
HD_API void hd_drop_newest_variables(struct hd_server* server, int num_left);

#endif
