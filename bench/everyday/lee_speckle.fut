-- Refined Lee filter against radar speckle: 3x3 block means choose an edge direction, statistics over the half window on its side.
def mirror (n: i64) (i: i64) : i64 =
  let j = if i < 0 then -i else if i >= n then 2*n - 2 - i else i
  in i64.max 0 (i64.min (n-1) j)

entry main [h][w] (looks: f32) (amp: [h][w]u16) : [h][w]f32 =
  let p = map (map (\a -> (1 + f32.u16 a / 256) ** 2)) amp
  let cu2 = 1 / looks
  let sum3 = tabulate_2d h w (\y x ->
    i32.sum (tabulate 9 (\t -> i32.u16 amp[mirror h (y + t/3 - 1), mirror w (x + t%3 - 1)])))
  in tabulate_2d h w (\y x ->
    let m dy dx = sum3[mirror h (y + 2*dy), mirror w (x + 2*dx)]
    -- four gradients over the 3x3 means; the strongest is the edge's normal
    let gs : [4](i32, i64, i64) =
      [ (m 0 1 - m 0 (-1), 0, 1), (m 1 0 - m (-1) 0, 1, 0)
      , (m 1 1 - m (-1) (-1), 1, 1), (m 1 (-1) - m (-1) 1, 1, -1) ]
    let (g, ny, nx) = loop b = gs[0] for i in 1..<4 do
      if i32.abs gs[i].0 > i32.abs b.0 then gs[i] else b
    let c = m 0 0
    let side = if i32.abs (m ny nx - c) < i32.abs (m (-ny) (-nx) - c) then 1i64 else -1
    let (n, s, s2) = loop (n, s, s2) = (0f32, 0f32, 0f32) for t < 49 do
      let (dy, dx) = (t / 7 - 3, t % 7 - 3)
      in if g != 0 && side * (dy*ny + dx*nx) < 0 then (n, s, s2)
         else let v = p[mirror h (y+dy), mirror w (x+dx)]
              in (n+1, s+v, s2 + v*v)
    let mu = s / n
    let var = f32.max 0 (s2/n - mu*mu)
    let vx = f32.max 0 ((var - mu*mu*cu2) / (1 + cu2))
    let k = if var > 0 then vx / var else 0
    in mu + f32.min 1 k * (p[y,x] - mu))
