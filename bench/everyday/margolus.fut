-- A block automaton in Margolus' neighbourhood ("critters") on a torus of even sides: 2x2 blocks by a table of sixteen cases, shifted by one every other step; steps back recover the start.
type block = (u8, u8, u8, u8)

def critters (s: u8): u8 =
  let n = u8.i32 (u8.popc s)
  let inv = s ^ 15
  let half = ((inv & 1) << 3) | ((inv & 2) << 1) | ((inv & 4) >> 1) | ((inv & 8) >> 3)
  in if n == 2 then s else if n == 3 then half else inv

def blocks [h][w] (a: [h*2][w*2]u8): [h][w]u8 =
  tabulate_2d h w (\y x -> a[2*y, 2*x] | a[2*y, 2*x+1] << 1 | a[2*y+1, 2*x] << 2 | a[2*y+1, 2*x+1] << 3)

def unblock [h][w] (b: [h][w]u8): [h*2][w*2]u8 =
  tabulate_2d (h*2) (w*2) (\y x -> (b[y/2, x/2] >> u8.i64 (y%2*2 + x%2)) & 1)

def shifted [h][w] (k: i64) (a: [h][w]u8): [h][w]u8 = rotate k (map (rotate k) a)

entry main [h][w] (steps: i64) (noise: [h][w]u8): ([][]u8, i64, [16]i64) =
  let table = map (\i -> critters (u8.i64 i)) (iota 16)
  let back = scatter (replicate 16 0u8) (map i64.u8 table) (map u8.i64 (iota 16))
  let start = tabulate_2d ((h/2)*2) ((w/2)*2) (\y x -> u8.bool (noise[y, x] < 60))
  let apply t = map (map (\s -> t[i64.u8 s]))
  let forth i a = shifted (-(i % 2)) (unblock (apply table (blocks (shifted (i % 2) a))))
  let undo i a = shifted (-(i % 2)) (unblock (apply back (blocks (shifted (i % 2) a))))
  let end = loop a = start for i < steps do forth i a
  let again = loop a = end for i < steps do undo (steps - 1 - i) a
  let wrong = i64.sum (map2 (\p q -> i64.bool (p != q)) (flatten start) (flatten again))
  let kinds = reduce_by_index (replicate 16 0) (+) 0 (map i64.u8 (flatten (blocks end))) (map (const 1) (flatten (blocks end)))
  in (end, wrong, kinds)
