-- Larger-than-Life "Bugs" (radius 5, torus): neighbour counts by prefix sums along wrapped rows and columns, birth and survival intervals, population per step.
def rows_sum [h][w] (r: i64) (a: [h][w]i16) : [h][w]i16 =
  map (\row ->
    let ext = tabulate (w + 2*r + 1) (\i -> if i == 0 then 0 else row[(i - 1 - r) % w])
    let pre = scan (+) 0 ext
    in tabulate w (\x -> pre[x + 2*r + 1] - pre[x])) a

entry main [h][w] (steps: i64) (r: i64) (seed: [h][w]u8) : ([h][w]bool, [steps]i32) =
  let area = i16.i64 ((2*r+1) ** 2)
  let frac k = i16.i32 (i32.i16 area * k / 121)
  let (b1, b2, s1, s2) = (frac 34, frac 45, frac 34, frac 58)
  let step (a: [h][w]bool) : [h][w]bool =
    let cnt = map (map i16.bool) a |> rows_sum r |> transpose |> rows_sum r |> transpose
    in map2 (map2 (\alive c -> if alive then c >= s1 && c <= s2 else c >= b1 && c <= b2)) a cnt
  in loop (a, pop) = (map (map (\v -> v % 5 < 2)) seed, replicate steps 0) for k < steps do
       let a = step a
       in (a, pop with [k] = i32.sum (map i32.bool (flatten a)))
