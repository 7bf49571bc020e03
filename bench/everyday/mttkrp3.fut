-- Matricised tensor times Khatri-Rao product along all three modes of a dense tensor, as CP decomposition needs it, with the fit's inner products.
def gram [n] [r] (a: [n][r]f32) : [r][r]f32 =
  map (\x -> map (\y -> f32.sum (map2 (*) x y)) (transpose a)) (transpose a)

def mode0 [i] [j] [k] [r] (x: [i][j][k]f32) (b: [j][r]f32) (c: [k][r]f32) : [i][r]f32 =
  map (\slab ->
         map2 (\bc cc -> f32.sum (map2 (\p row -> p * f32.sum (map2 (*) row cc)) bc slab))
              (transpose b) (transpose c))
      x

-- rotated layouts: [i][j][k] to [j][k][i]
def turn [i] [j] [k] (x: [i][j][k]f32) : [j][k][i]f32 = map transpose (transpose x)

entry main [i] [j] [k] [r] (x: [i][j][k]f32) (a: [i][r]f32) (b: [j][r]f32) (c: [k][r]f32)
    : ([i][r]f32, [j][r]f32, [k][r]f32, f32) =
  let u = mode0 x b c
  let v = mode0 (turn x) c a
  let w = mode0 (turn (turn x)) a b
  let model = f32.sum (flatten (map3 (map3 (\p q s -> p * q * s)) (gram a) (gram b) (gram c)))
  let cross = f32.sum (map f32.sum (map2 (map2 (*)) u a))
  let norm = f32.sum (map (\s -> f32.sum (map (\t -> f32.sum (map (** 2) t)) s)) x)
  in (u, v, w, (norm - 2 * cross + model) / f32.i64 (i * j * k))
