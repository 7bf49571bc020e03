-- Othello random playouts on bitboards with an own generator: move masks by shifts, flips, final disc differences.
type board = {me: u64, you: u64}

def not_a : u64 = 0xfefefefefefefefe
def not_h : u64 = 0x7f7f7f7f7f7f7f7f

def shift (d: i32) (x: u64) : u64 =
  if d == 0 then x << 8
  else if d == 1 then x >> 8
  else if d == 2 then (x & not_h) << 1
  else if d == 3 then (x & not_a) >> 1
  else if d == 4 then (x & not_h) << 9
  else if d == 5 then (x & not_a) << 7
  else if d == 6 then (x & not_h) >> 7
  else (x & not_a) >> 9

def ray (d: i32) (from: u64) (you: u64) : u64 =
  let f = shift d from & you
  in loop f for _k < 5i32 do f | (shift d f & you)

def moves (b: board) : u64 =
  let free = !(b.me | b.you)
  in loop m = 0 for d < 8 do m | (shift d (ray d b.me b.you) & free)

def play (b: board) (m: u64) : board =
  let flips =
    loop f = 0 for d < 8 do
      let line = ray d m b.you
      in if shift d line & b.me != 0 then f | line else f
  in {me = b.you & !flips, you = b.me | m | flips}

-- The n-th set bit.
def pick (x: u64) (n: i32) : u64 =
  let x = loop x for _i < n do x & (x - 1)
  in x & (- x)

def next (s: u32) : u32 =
  let s = s ^ (s << 13)
  let s = s ^ (s >> 17)
  in s ^ (s << 5)

def playout (seed: u32) : (i32, i32, i32) =
  let start = {me = 0x0000000810000000, you = 0x0000001008000000} : board
  let (b, _, ply, passes, turn, mobility) =
    loop (b, s, ply, passes, turn, mobility) = (start, seed | 1, 0, 0, 0i32, 0) while passes < 2 && ply < 120 do
      let m = moves b
      let s = next s
      in if m == 0 then ({me = b.you, you = b.me}, s, ply + 1, passes + 1, 1 - turn, mobility)
         else let k = u64.popc m
              let c = pick m (i32.u32 (s >> 8) % k)
              in (play b c, s, ply + 1, 0, 1 - turn, mobility + k)
  let d = u64.popc b.me - u64.popc b.you
  in (if turn == 0 then d else -d, ply - passes, mobility)

entry main [n] (seeds: [n]i32) : ([n]i8, i64, [130]i32, f64) =
  let (d, len, mob) = unzip3 (map (\s -> playout (u32.i32 s)) seeds)
  let scores = hist (+) 0 130 (map (\x -> i64.i32 x + 64) d) (replicate n 1)
  in (map i8.i32 d, i64.sum (map (\x -> i64.bool (x > 0)) d), scores, f64.i64 (i64.sum (map i64.i32 mob)) / f64.i64 (i64.sum (map i64.i32 len)))
