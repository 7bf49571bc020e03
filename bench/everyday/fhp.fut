-- The FHP lattice gas: six velocities as bits on a triangular grid stored in shifted rows, collisions from a table built at the start, obstacles that reflect; counts and momentum per tile.
def dirs : i64 = 6
-- Bit k: direction at k * 60 degrees; k and k + 3 are opposite.
def turn (k: u8) (s: u8): u8 = ((s << k) | (s >> (6 - k))) & 63

def collide (coin: u8) (s: u8): u8 =
  if s == 0b001001 || s == 0b010010 || s == 0b100100 then turn (if coin == 0 then 1 else 5) s
  else if s == 0b010101 || s == 0b101010 then turn 1 s
  else s

def hash (x: u32): u32 =
  let x = (x ^ (x >> 16)) * 0x45d9f3b
  let x = (x ^ (x >> 16)) * 0x45d9f3b
  in x ^ (x >> 16)

entry main [h][w] (steps: i32) (cells: [h][w]u8) (walls: [h][w]u8): ([h][w]u8, [][]i32, i32, i32) =
  let table = [map (\s -> collide 0 (u8.i64 s)) (iota 64), map (\s -> collide 1 (u8.i64 s)) (iota 64)]
  let solid = map (map (> 250)) walls
  -- where the particle that moves in direction k into (y, x) came from
  let from (y: i64) (x: i64) (k: i64): (i64, i64) =
    let odd = y & 1
    let (dy, dx) = if k == 0 then (0, -1) else if k == 3 then (0, 1)
                   else let up = k == 1 || k == 2 -- moved up: came from below
                        let right = k == 1 || k == 5
                        in (if up then 1 else -1, if right then odd - 1 else odd)
    in ((y + dy + h) % h, (x + dx + w) % w)
  let step (t: i32) (a: [h][w]u8): [h][w]u8 =
    let moved = tabulate_2d h w (\y x ->
      loop s = 0 for k < dirs do
        let (py, px) = from y x k
        in s | (a[py, px] & (1 << u8.i64 k)))
    in tabulate_2d h w (\y x ->
         let s = moved[y, x]
         in if solid[y, x] then turn 3 s
            else let coin = hash (u32.i64 (y*w + x) ^ (u32.i32 t * 0x9e3779b9)) & 1
                 in table[i64.u32 coin, i64.u8 s])
  let final = loop a = map (map (& 63)) cells for t < steps do step t a
  let tile = 16i64
  let dens = tabulate_2d (h / tile) (w / tile) (\ty tx ->
    loop s = 0 for k < tile*tile do s + u8.popc final[ty*tile + k/tile, tx*tile + k%tile])
  let mom (s: u8) = let bit k = i32.u8 ((s >> k) & 1) in (2*bit 0 + bit 1 + bit 5 - 2*bit 3 - bit 2 - bit 4, bit 1 + bit 2 - bit 4 - bit 5)
  let (mx, my) = reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (map mom (flatten final))
  in (final, dens, mx, my)
