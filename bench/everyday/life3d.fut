-- Three-dimensional life in a batch of boxes on a torus, every box with its own rule as masks of birth and survival over the 26 neighbours; a hash of each box.
def sum3 (n: i64) (f: i64 -> u8): [n]u8 = tabulate n (\i -> f ((i + n - 1) % n) + f i + f ((i + 1) % n))

def around [d][h][w] (g: [d][h][w]u8): [d][h][w]u8 =
  let rows = map (map (\r -> sum3 w (\i -> r[i]))) g
  let planes = map (\p -> transpose (map (\x -> sum3 h (\y -> p[y, x])) (iota w))) rows
  in tabulate_3d d h w (\z y x -> planes[(z+d-1) % d, y, x] + planes[z, y, x] + planes[(z+1) % d, y, x])

entry main [n][d][h][w] (steps: i32) (rules: [n]i32) (boxes: [n][d][h][w]u8): ([n][d][h][w]u8, [n]i64) =
  let run (rule: i32) box =
    let birth = (rule & 0x1ff) << 5
    let keep = ((rule >> 9) & 0x1ff) << 4
    let step g = map2 (map2 (map2 (\c s ->
      let k = i32.u8 (s - c)
      in u8.i32 (((if c == 1 then keep else birth) >> k) & 1)))) g (around g)
    let g = iterate steps step (map (map (map (\b -> u8.bool (b < 60)))) box)
    let h = g |> flatten_3d |> zip (iota (d*h*w)) |> map (\(i, b) -> i64.u8 b * (i*i*31 + i*7 + 1)) |> i64.sum
    in (g, h)
  in unzip (map2 run rules boxes)
