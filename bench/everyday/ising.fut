-- The Ising model on a torus, black then white.
def hash (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x45d9f3b
  let x = (x ^ (x >> 16)) * 0x45d9f3b
  in x ^ (x >> 16)
def main [h][w] (steps: i32) (beta: f32) (s0: [h][w]i8) : ([h][w]i8, i64) =
  let start = map (map (\s -> if s < 0 then -1i8 else 1)) s0
  let half (t: i32) (par: i64) (s: [h][w]i8) = tabulate_2d h w (\y x ->
    if (y + x) % 2 != par then s[y,x] else
    let sum = s[(y+1)%h, x] + s[(y+h-1)%h, x] + s[y, (x+1)%w] + s[y, (x+w-1)%w]
    let r = f32.u32 (hash (u32.i64 (y*w + x) ^ (u32.i32 t * 2654435761))) / 4294967296
    in if r < 1 / (1 + f32.exp (-2 * beta * f32.i8 sum)) then 1 else -1)
  let s = loop s = start for t < steps do half (2*t+1) 1 (half (2*t) 0 s)
  in (s, i64.sum (flatten (map (map i64.i8) s)))
