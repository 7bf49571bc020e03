-- A sparse matrix of at most 16 entries a row times a vector, a hundred times.
def main [n] (steps: i32) (cols: [n][16]i32) (vals: [n][16]f32) (x: [n]f32) : [n]f32 =
  let cs = map (map (\c -> i64.i32 c % n)) cols
  in loop x for _i < steps do
    let y = map2 (\c v -> f32.sum (map2 (\j a -> a * x[j]) c v)) cs vals
    let s = f32.sqrt (f32.sum (map (\v -> v*v) y))
    in map (/ s) y
