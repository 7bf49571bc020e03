-- A Voronoi diagram by jump flooding.
def main [n] (size: i64) (sx: [n]i32) (sy: [n]i32) : [size][size]i32 =
  let ys = map (\v -> i64.i32 v % size) sy
  let xs = map (\v -> i64.i32 v % size) sx
  let seeds = unflatten (scatter (replicate (size*size) (-1i32)) (map2 (\y x -> y*size + x) ys xs) (map i32.i64 (iota n)))
  let (f, _) = loop (f, step) = (seeds, size / 2) while step >= 1 do
    let g = tabulate_2d size size (\y x ->
      let dist s = if s < 0 then i64.highest else let dy = ys[s] - y let dx = xs[s] - x in dy*dy + dx*dx
      let pick best dy dx =
        let yy = y + dy*step let xx = x + dx*step
        in if yy < 0 || yy >= size || xx < 0 || xx >= size then best
           else let c = f[yy,xx] in if dist c < dist best then c else best
      let b = f[y,x]
      let b = pick b (-1) (-1) let b = pick b (-1) 0 let b = pick b (-1) 1
      let b = pick b 0 (-1) let b = pick b 0 1
      let b = pick b 1 (-1) let b = pick b 1 0 in pick b 1 1)
    in (g, step / 2)
  in f
