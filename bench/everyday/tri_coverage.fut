-- Small triangles put on a grid by integer edge functions: pixels each one covers, and how loaded the tiles are.
type point = {x: i32, y: i32}

def edge (a: point) (b: point) (p: point) : i32 =
  (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)

def min3 (a: i32) b c = i32.min a (i32.min b c)
def max3 (a: i32) b c = i32.max a (i32.max b c)

def covered (a: point) (b: point) (c: point) : i32 =
  let (b, c) = if edge a b c < 0 then (c, b) else (b, c)
  let inside p = edge a b p >= 0 && edge b c p >= 0 && edge c a p > 0
  in loop k = 0 for y in min3 a.y b.y c.y...max3 a.y b.y c.y do
       loop k for x in min3 a.x b.x c.x...max3 a.x b.x c.x do
         if inside {x, y} then k + 1 else k

entry main [n] (size: i32) (at: [n][2]i32) (legs: [n][4]u8) : ([n]i32, [32][32]i32, i64) =
  let corner (p: [2]i32) = {x = p[0] & 1023, y = p[1] & 1023}
  let cover p (l: [4]u8) =
    let a = corner p
    let to i = i32.u8 l[i] % size - size / 2
    in covered a {x = a.x + to 0, y = a.y + to 1} {x = a.x + to 2, y = a.y + to 3}
  let counts = map2 cover at legs
  let tiles = map (\p -> let c = corner p in (i64.i32 (c.y / 32), i64.i32 (c.x / 32))) at
  let load = reduce_by_index_2d (replicate 32 (replicate 32 0)) (+) 0 tiles counts
  in (counts, load, i64.sum (map (\c -> i64.bool (c == 0)) counts))
