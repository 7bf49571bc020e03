-- 3-D chamfer distance (3-4-5 weights, u16) to sparse seed voxels, relaxed over the 26 neighbours until nothing changes; sum and maximum.
def weight (i: i64) : u16 =
  let n = i64.abs (i/9 - 1) + i64.abs (i/3%3 - 1) + i64.abs (i%3 - 1)
  in if n == 1 then 3 else if n == 2 then 4 else 5

entry main [d][h][w] (rarity: u32) (vox: [d][h][w]u32) : ([d][h][w]u16, i64, u16, i32) =
  let far : u16 = 30000
  let start = map (map (map (\v -> if v % rarity == 0 then 0u16 else far))) vox
  let relax (a: [d][h][w]u16) : [d][h][w]u16 =
    tabulate_3d d h w (\z y x ->
      loop m = a[z,y,x] for i < 27 do
        let (k, j, l) = (z + i/9 - 1, y + i/3%3 - 1, x + i%3 - 1)
        in if i == 13 || k < 0 || j < 0 || l < 0 || k >= d || j >= h || l >= w then m
           else u16.min m (a[k,j,l] + weight i))
  let (dist, _, rounds) =
    loop (a, go, k) = (start, true, 0i32) while go do
      let b = relax a
      let same = and (map2 (==) (flatten_3d a) (flatten_3d b))
      in (b, not same, k + 1)
  let flat = map (u16.min far) (flatten_3d dist)
  in (dist, i64.sum (map i64.u16 flat), u16.maximum flat, rounds)
