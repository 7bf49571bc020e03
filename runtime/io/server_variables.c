#include "runtime/io/server_variables.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/io/opaque.h"

HD_API void hd_fail_command(const char* format, ...) {
  va_list args;
  puts("%%% FAILURE");
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  putchar('\n');
}

HD_API void hd_fail_with_context_error(struct hd_server* server) {
  char* error = hd_context_take_error(server->ctx);
  size_t length = error ? strlen(error) : 0;
  if (length > 0 && error[length - 1] == '\n') error[length - 1] = '\0';
  hd_fail_command("%s", error ? error : "Unknown error.");
  free(error);
}

HD_API struct hd_variable* hd_lookup_variable(struct hd_server* server, const char* name) {
  for (int i = 0; i < server->num_variables; i++) {
    if (strcmp(server->variables[i].name, name) == 0) return &server->variables[i];
  }
  return NULL;
}

HD_API struct hd_variable* hd_find_variable(struct hd_server* server, const char* name) {
  struct hd_variable* variable = hd_lookup_variable(server, name);
  if (!variable) hd_fail_command("Unknown variable: %s", name);
  return variable;
}

HD_API bool hd_name_is_free(struct hd_server* server, const char* name) {
  if (!hd_lookup_variable(server, name)) return true;
  hd_fail_command("Variable already exists: %s", name);
  return false;
}

HD_API void hd_drop_variable(struct hd_server* server, struct hd_variable* variable) {
  hd_constituents_release(server->ctx, variable->type->num_constituents, variable->constituents);
  free(variable->constituents);
  free(variable->name);
  *variable = server->variables[--server->num_variables];
}

HD_API void hd_drop_newest_variables(struct hd_server* server, int num_left) {
  while (server->num_variables > num_left) {
    hd_drop_variable(server, &server->variables[server->num_variables - 1]);
  }
}

HD_API struct hd_variable* hd_add_variable(struct hd_server* server, const char* name, const struct hd_type* type) {
  if (!hd_name_is_free(server, name)) return NULL;
  if (server->num_variables == server->max_variables) {
    int max_variables = 2 * server->max_variables + 16;
    struct hd_variable* variables = realloc(server->variables, (size_t)max_variables * sizeof *variables);
    if (variables) {
      server->variables = variables;
      server->max_variables = max_variables;
    }
  }
  char* copy = hd_copy_string(name);
  struct hd_constituent* constituents = calloc((size_t)type->num_constituents + 1, sizeof *constituents);
  if (!copy || !constituents || server->num_variables == server->max_variables) {
    free(copy);
    free(constituents);
    hd_fail_command("Out of memory.");
    return NULL;
  }
  hd_constituents_init(type, constituents);
  struct hd_variable* variable = &server->variables[server->num_variables++];
  *variable = (struct hd_variable){copy, type, constituents};
  return variable;
}
