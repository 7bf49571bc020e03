-- Arrays of constant size in every thread: filled, sorted by insertion, and read at run-time positions.
-- ==
-- entry: sorted
-- input { [[4, 1, 3, 2, 5], [9, 8, 7, 6, 5]] } output { [[1, 2, 3, 4, 5], [5, 6, 7, 8, 9]] }
-- compiled random input { [257][5]i32 } auto output

-- ==
-- entry: counted
-- input { [0, 5, 13] } output { [[0, 0, 0, 0], [3, 2, 0, 0], [7, 6, 0, 0]] }

def insertion_sort [m] (xs: [m]i32) : [m]i32 =
  loop ys = copy xs for i < m do
    let (ys, _) =
      loop (ys, j) = (ys, i) while j > 0 && ys[j - 1] > ys[j] do
        let (a, b) = (ys[j - 1], ys[j])
        in ((ys with [j - 1] = b) with [j] = a, j - 1)
    in ys

entry sorted [n] (xss: [n][5]i32) : [n][5]i32 = map insertion_sort xss

-- How often each remainder by 4 occurs among the squares below x.
entry counted [n] (xs: [n]i32) : [n][4]i32 =
  map (\x -> loop counts = replicate 4 0 for i < x do
               let k = i * i % 4 in counts with [k] = counts[k] + 1) xs
