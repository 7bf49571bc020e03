-- Attention pooling of token features to one number per sample: loss and its gradients in the query and the head by reverse mode.
type~ params [d] = {query: [d]f32, head: [d]f32, bias: f32}

def softmax [t] (xs: [t]f32) : [t]f32 =
  let m = f32.maximum xs
  let es = map (\x -> f32.exp (x - m)) xs
  let s = f32.sum es
  in map (/ s) es

def pool [t] [d] (p: params [d]) (x: [t][d]f32) : f32 =
  let scores = map (\row -> f32.sum (map2 (*) row p.query)) x
  let ws = softmax scores
  let pooled = map (\col -> f32.sum (map2 (*) col ws)) (transpose x)
  in p.bias + f32.sum (map2 (*) pooled p.head)

def loss [b] [t] [d] (xs: [b][t][d]f32) (ys: [b]f32) (p: params [d]) : f32 =
  let sq a = a * a
  in f32.sum (map2 (\x y -> sq (pool p x - y)) xs ys) / f32.i64 b

entry main [b] [t] [d] (rate: f32) (xs: [b][t][d]f32) (ys: [b]f32) (query: [d]f32) (head: [d]f32) : (f32, [d]f32, [d]f32, f32) =
  let p = {query = query, head = map (\h -> h / f32.i64 d) head, bias = 0.1}
  let (l, g) = vjp2 (loss xs ys) p 1
  let step x dx = x - rate * dx
  in (l, map2 step p.query g.query, map2 step p.head g.head, step p.bias g.bias)
