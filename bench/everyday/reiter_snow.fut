-- Reiter's snow crystals on a hexagonal lattice in fixed point: frozen and receptive cells gather vapour, the rest diffuses; the frozen cells after all.
def one: i32 = 1 << 20

def neighbours (y: i64) (x: i64): [6](i64, i64) =
  let s = y % 2
  in [(y, x-1), (y, x+1), (y-1, x-1+s), (y-1, x+s), (y+1, x-1+s), (y+1, x+s)]

def around [h][w] 't (im: [h][w]t) (border: t) (y: i64) (x: i64): [6]t =
  map (\(a, b) -> if a < 0 || b < 0 || a >= h || b >= w then border else im[a, b]) (neighbours y x)

entry main [h][w] (steps: i64) (vapour: i32) (gain: i32) (noise: [h][w]u8): ([h][w]i32, i64) =
  let start = tabulate_2d h w (\y x ->
    if (y == h/2 && x == w/2) || noise[y, x] == 255 && (y * w + x) % 61 == 0 then one else vapour + i32.u8 noise[y, x] * 16)
  let s =
    loop s = start for _i < steps do
      let frozen = map (map (>= one)) s
      let receptive = tabulate_2d h w (\y x -> frozen[y, x] || or (around frozen false y x))
      let moving = map2 (map2 (\r v -> if r then 0 else v)) receptive s
      in tabulate_2d h w (\y x ->
           let u = moving[y, x]
           let diffused = u + (i32.sum (around moving vapour y x) - 6*u) / 12
           in if receptive[y, x] then s[y, x] + gain + (diffused - u) else diffused)
  in (s, i64.sum (map (\r -> i64.sum (map (\v -> i64.bool (v >= one)) r)) s))
