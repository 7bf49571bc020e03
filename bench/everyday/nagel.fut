-- Traffic after Nagel and Schreckenberg on many ring roads of two lanes: gaps by looking ahead, lane changes, hashed dawdling; flow and mean speed per road over time.
def vmax : i8 = 5
def free : i8 = -1 -- a cell without a car

def hash (a: u32) (b: u32) (c: u32): u32 =
  let x = a * 0x85ebca6b ^ b * 0xc2b2ae35 ^ c * 0x27d4eb2f
  let x = (x ^ (x >> 15)) * 0x2c1b3c6d
  in x ^ (x >> 13)

def ahead [n] (lane: [n]i8) (i: i64) (most: i64): i64 =
  loop g = 0 while g < most && lane[(i + g + 1) % n] == free do g + 1

entry main [r][n] (steps: i64) (dawdle: i32) (roads: [r][2][n]u8): ([r][2][n]i8, [r][steps]i32, [r]i32) =
  let start = map (map (map (\b -> if b < 50 then i8.u8 (b % 6) else free))) roads
  let change (t: i64) (road: [2][n]i8): [2][n]i8 =
    -- lanes trade in turn: in even steps only from 0 to 1, in odd steps back
    let src = t % 2
    let (a, b) = (road[src], road[1 - src])
    let goes i = a[i] != free && b[i] == free
                 && ahead a i (i64.i8 a[i] + 1) <= i64.i8 a[i]
                 && ahead b i 5 > ahead a i 5
                 && (loop ok = true for k < 5 do ok && b[(i - 1 - k + n) % n] == free)
    let go = map goes (iota n)
    let a' = map2 (\g v -> if g then free else v) go a
    let b' = map3 (\g v u -> if g then v else u) go a b
    in if src == 0 then [a', b'] else [b', a']
  let drive (id: i64) (t: i64) (l: i64) (lane: [n]i8): [n]i8 =
    let speed = map (\i ->
      if lane[i] == free then free
      else let v = i8.min vmax (lane[i] + 1)
           let v = i8.min v (i8.i64 (ahead lane i 5))
           in if v > 0 && hash (u32.i64 (id*2 + l)) (u32.i64 t) (u32.i64 i) % 100 < u32.i32 dawdle then v - 1 else v) (iota n)
    in map (\i -> loop c = free for k < 6 do
                    let j = (i - k + n) % n
                    in if speed[j] != free && i64.i8 speed[j] == k then speed[j] else c) (iota n)
  let simulate id road =
    loop (s, flow) = (copy road, replicate steps 0) for t < steps do
      let s = change t s
      let s = map2 (drive id t) (iota 2) s
      in (s, flow with [t] = i32.sum (map (\v -> if v == free then 0 else i32.i8 v) (flatten s)))
  let (res, flows) = unzip (map2 simulate (iota r) start)
  in (res, flows, map (\s -> i32.sum (map (\v -> i32.bool (v != free)) (flatten s))) res)
