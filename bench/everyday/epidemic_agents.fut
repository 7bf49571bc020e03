-- Agent SEIR epidemic: agents move between places, infection pressure by histogram of places, counter-based coins.
module rng = {
  def hash (a: u32) (b: u32) : u32 =
    let x = a * 0x9e3779b9 ^ b * 0x85ebca6b
    let x = (x ^ (x >> 15)) * 0xc2b2ae35
    in x ^ (x >> 13)
  def permille (a: u32) (b: u32) : i64 = i64.u32 ((hash a b >> 8) % 1000)
}
def S : u8 = 0
def E : u8 = 1
def I : u8 = 2
def R : u8 = 3

entry main [n] (places: i64) (days: i64) (beta: i64) (home: [n]u32) (risk: [n]u8) : ([days][4]i32, [places]i32, i32) =
  let home = map (\h -> i64.u32 h % places) home
  let start = map (\r -> if r < 20 then I else S) risk
  let (_, _, curve, ever) =
    loop (st, clock, curve, ever) = (start, replicate n 0u8, replicate days (replicate 4 0i32), replicate places 0i32)
    for d < days do
      let place = map2 (\i h ->
          let r = rng.hash (u32.i64 i) (u32.i64 d)
          in if r % 4 == 0 then i64.u32 (r >> 3) % places else h) (iota n) home
      let load = reduce_by_index (replicate places (0i32, 0i32)) (\(a, b) (c, e) -> (a + c, b + e)) (0, 0) place
                   (map (\s -> (1, i32.bool (s == I))) st)
      let p_inf = map (\(tot, inf) -> let x = beta * i64.i32 inf / i64.i32 (i32.max 1 tot) in 1000 * x / (1000 + x)) load
      let (st', clock') = unzip (map4 (\i s c pl ->
          let u = rng.permille (u32.i64 i + 7919) (u32.i64 (d * 3 + 1))
          in if s == S then (if u * 256 < p_inf[pl] * (128 + i64.u8 risk[i]) then (E, 0) else (S, 0))
             else if s == E then (if c >= 3 then (I, 0) else (E, c + 1))
             else if s == I then (if c >= 6 && u < 500 then (R, 0) else (I, c + 1))
             else (if u < 5 then (S, 0) else (R, u8.min 250 (c + 1)))) (iota n) st clock place)
      let tally = reduce_by_index (replicate 4 0i32) (+) 0 (map i64.u8 st') (replicate n 1)
      let fresh = map3 (\a b pl -> if a == S && b == E then pl else -1) st st' place
      let ever = reduce_by_index ever (+) 0 fresh (replicate n 1)
      in (st', clock', curve with [d] = tally, ever)
  let peak = i32.maximum (map (\c -> c[2]) curve)
  in (curve, ever, peak)
