-- Granulometry of a batch of images: what openings by squares of growing size remove (the pattern spectrum), and the mean size; erosions and dilations are separable, borders neutral.
def pass [n] (op: u8 -> u8 -> u8) (a: [n]u8): [n]u8 =
  map (\i -> let v = a[i]
             let v = if i > 0 then op v a[i-1] else v
             in if i < n-1 then op v a[i+1] else v) (iota n)

def square [h][w] op (img: [h][w]u8): [h][w]u8 =
  map (pass op) img |> transpose |> map (pass op) |> transpose

def volume [h][w] (img: [h][w]u8): i64 = i64.sum (map (\r -> i64.sum (map i64.u8 r)) img)

def spectrum [h][w] (sizes: i64) (img: [h][w]u8): [sizes]i64 =
  let (out, _, _) =
    loop (out, eroded, before) = (replicate sizes 0, img, volume img) for s < sizes do
      let e = square u8.min eroded
      let opened = loop d = e for _i < s + 1 do square u8.max d
      let v = volume opened
      in (out with [s] = before - v, e, v)
  in out

entry main [n][h][w] (sizes: i64) (imgs: [n][h][w]u8): ([n][sizes]i64, [n]f64) =
  let sp = map (spectrum sizes) imgs
  let mean s = f64.i64 (i64.sum (map2 (*) s (map (+1) (iota sizes)))) / f64.i64 (1 + i64.sum s)
  in (sp, map mean sp)
