-- Batch normalisation with a leaky rectifier over rows of activations, and its gradients.
def eps : f32 = 1e-5
def sq (x: f32) = x * x
def mean [n] (xs: [n]f32) = f32.sum xs / f32.i64 n

def column_stats [n][c] (x: [n][c]f32) : ([c]f32, [c]f32) =
  transpose x |> map (\col -> let m = mean col in (m, mean (map (\v -> sq (v - m)) col))) |> unzip

def layer [n][c] (slope: f32) (x: [n][c]f32, gamma: [c]f32, beta: [c]f32) : [n][c]f32 =
  let (mu, var) = column_stats x
  let scale = map2 (\g v -> g / f32.sqrt (v + eps)) gamma var
  in map (\row ->
       map4 (\v m s b -> let z = (v - m) * s + b in if z > 0 then z else slope * z) row mu scale beta) x

entry main [n][c] (slope: f32) (x: [n][c]f32) (gamma: [c]f32) (beta: [c]f32) (up: [n][c]f32) =
  let (_, (dx, dg, db)) = vjp2 (layer slope) (x, gamma, beta) up
  in (dx, dg, db)
