-- Shearsort of a square mesh: alternate snake-wise row sorts and column sorts, each an odd-even transposition network.
def oddeven [n] (up: bool) (xs: [n]u32) : [n]u32 =
  loop xs for r < n do
    tabulate n (\i ->
      let left = (i + r) % 2 == 1
      let j = if left then i - 1 else i + 1
      in if j < 0 || j >= n then xs[i]
         else let (a, b) = (xs[i], xs[j])
              in if (i < j) == up then u32.min a b else u32.max a b)

def main [h][w] (mesh: [h][w]u32) : ([h][w]u32, bool) =
  let phases = 1 + (loop p = 0 while (1 << p) < h do p + 1)
  let rows m = map2 (\i r -> oddeven (i % 2 == 0) r) (iota h) m
  let m = loop m = mesh for _p < phases do
            let m = rows m
            in transpose (map (oddeven true) (transpose m))
  let m = rows m
  let snake = flatten (map2 (\i r -> if i % 2 == 0 then r else reverse r) (iota h) m)
  let ok = all (\i -> i == 0 || snake[i - 1] <= snake[i]) (indices snake)
  in (m, ok)
