-- The q-state Potts model on a checkerboard by Metropolis steps in whole numbers; hashed random numbers, acceptance by a table of thresholds.
def hash (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

def wrap (n: i64) (i: i64) : i64 = if i < 0 then i + n else if i >= n then i - n else i

def sweep [h] [w] (q: i8) (accept: [5]u32) (seed: u32) (colour: i64) (s: [h][w]i8) : [h][w]i8 =
  tabulate_2d h w (\y x ->
    let old = s[y, x]
    in if (y + x) & 1 != colour
       then old
       else let r = hash (seed ^ hash (u32.i64 (y * w + x)))
            let new = (old + 1 + i8.u32 (r % u32.i8 (q - 1))) % q
            let count v =
              i64.bool (s[wrap h (y - 1), x] == v) + i64.bool (s[wrap h (y + 1), x] == v)
              + i64.bool (s[y, wrap w (x - 1)] == v) + i64.bool (s[y, wrap w (x + 1)] == v)
            let cost = count old - count new
            in if cost <= 0 || hash (r + 0x9e3779b9) < accept[cost] then new else old)

entry main [h] [w] (sweeps: i32) (q: i8) (start: [h][w]u8) : ([h][w]i8, []i32, i32) =
  -- exp (-cost * beta) as fixed point: halves, quarters, ...
  let accept = map (\c -> u32.highest >> (2 * u32.i64 c)) (iota 5)
  let init = map (map (\v -> i8.u8 (v % u8.i8 q))) start
  let final =
    loop s = init for t < sweeps do
      let seed = hash (u32.i32 t + 17)
      in s |> sweep q accept seed 0 |> sweep q accept (seed + 1) 1
  let states = reduce_by_index (replicate (i64.i8 q) 0i32) (+) 0 (map i64.i8 (flatten final)) (replicate (h * w) 1)
  let bonds =
    tabulate_2d h w (\y x ->
      i32.bool (final[y, x] == final[wrap h (y + 1), x]) + i32.bool (final[y, x] == final[y, wrap w (x + 1)]))
  in (final, states, i32.sum (flatten bonds))
