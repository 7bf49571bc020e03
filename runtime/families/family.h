// Families of kernels whose constants are chosen while a program runs, for the sizes and the device at hand; contractions
// (contraction_family.h) are one. All that chooses, keeps, tunes and measures such kernels knows a shape only as what
// its family can tell about, and a choice only as a list of numbers. Users call it the kernel's tiling.
#ifndef HD_FAMILY_H
#define HD_FAMILY_H

#include "runtime/core/text.h"
#include "runtime/families/device_model.h"

// Room for the values of a choice, and for the extents that a shape's name has and the groups that they are in.
#define HD_MAX_CHOSEN_VALUES 96
#define HD_MAX_SHAPE_EXTENTS 16
#define HD_MAX_SHAPE_GROUPS 4

enum hd_value_kind {
  HD_VALUE_SET,       // tuning files may set it
  HD_VALUE_DERIVED,   // settling finds it from the others
  HD_VALUE_REGISTERS  // may be set, too: a thread's limit of registers, which is raised where the kernel spills
};

// One of the values of a choice, as tuning files and explanations call it: "points_0", the points along index 0.
struct hd_value {
  const char* name;  // lives as long as the program
  int index;         // -1: there is one such value
  enum hd_value_kind kind;
};

#define HD_MAX_LIMIT 40

struct hd_choice {
  int64_t values[HD_MAX_CHOSEN_VALUES];  // in the order of the kernel's constants
  // What the family's model thinks of them.
  double seconds;
  int64_t most_registers;    // to which the limit of registers may be raised
  char limit[HD_MAX_LIMIT];  // what takes longest: "device memory"
};

// What tuning files call a shape: groups of extents, "4094x4094x64_64x3x3".
struct hd_shape_name {
  int num_groups;
  int lengths[HD_MAX_SHAPE_GROUPS];
  int64_t extents[HD_MAX_SHAPE_EXTENTS];  // those of the groups, one after the other
};

// Kernels compute with 32 bits where elements lie. What tiles reach beyond arrays is left room for.
#define HD_MOST_NARROW ((1 << 30) - (1 << 20))

struct hd_neighbourhood;

struct hd_family {
  // Choices are kept on disk for the next program; those that another revision of the model made are not taken.
  const char* name;
  const char* revision;

  // Whether kernels can be made for this shape: it has points, and their places are narrow. If not, nothing else is asked
  // about it.
  bool (*suits)(const void* shape);
  // Adds what tells it apart from all shapes for which other kernels are compiled or other values chosen.
  void (*add_key)(const void* shape, struct hd_text* key);
  void (*name_shape)(const void* shape, struct hd_shape_name* name);
  // How far a shape of this name is from this one; infinite if what is best there says nothing about here.
  double (*distance)(const struct hd_shape_name* name, const void* shape);
  // All values in the order of the kernel's constants; returns how many.
  int (*list)(const void* shape, struct hd_value* list);
  // ... of shapes with this name, derived ones perhaps left out; none if no shape has it.
  int (*list_named)(const struct hd_shape_name* name, struct hd_value* list);

  // The best choices that the model finds, the best first. Returns how many there are, up to `most`.
  int (*choose)(const struct hd_device_model* device, const void* shape, int most, struct hd_choice* list);
  // Less than what any choice takes, without choosing.
  double (*least_seconds)(const struct hd_device_model* device, const void* shape);
  // Completes a choice of which only the values are given that are not derived. NULL, or what speaks against it, as a
  // sentence's part that names the value or the resource, to be freed.
  char* (*settle)(const struct hd_device_model* device, const void* shape, struct hd_choice* choice);
  // Proposes what to measure after the centre, the best so far (hd_neighbourhood_propose).
  void (*propose)(struct hd_neighbourhood* neighbourhood, const int64_t* centre);

  // Adds a table of the best choices and why the others were not chosen. The seconds that the best takes; negative if
  // there is none.
  double (*explain)(const struct hd_device_model* device, const void* shape, int most, struct hd_text* text);
};

HD_API void hd_add_shape_name(struct hd_text* text, const struct hd_shape_name* name);
// The name of a shape.
HD_API void hd_add_shape(struct hd_text* text, const struct hd_family* family, const void* shape);
// Reads a name and moves behind it. False if there is none, or if it is longer than any.
HD_API bool hd_read_shape_name(const char** at, struct hd_shape_name* name);
HD_API bool hd_same_shape_name(const struct hd_shape_name* a, const struct hd_shape_name* b);

// "points_0", "stages".
HD_API void hd_add_value_name(struct hd_text* text, const struct hd_value* value);
// Whether that is its name.
HD_API bool hd_value_is_called(const struct hd_value* value, const char* name);
// "points 4x4x2, lanes 1x8x4, ..., stages 3": all that are not derived.
HD_API void hd_add_values(struct hd_text* text, const struct hd_family* family, const void* shape,
                          const int64_t* values);

// "4094x4094x64_64x3x3 on an H100, microseconds:" and the family's table; returns what that does.
HD_API double hd_explain(struct hd_text* text, const struct hd_family* family, const struct hd_device_model* device,
                         const char* title, const void* shape, int most);

// For hd_family.add_key.
HD_API void hd_key_add(struct hd_text* key, int num_numbers, const int64_t* numbers);

#endif
