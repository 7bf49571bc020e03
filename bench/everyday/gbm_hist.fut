-- A level of gradient boosting: histograms of gradients per node, feature and bin, then the gain of every split and the best.
def bins : i64 = 32

type gh = {g: f64, h: f64}
def add (a: gh) (b: gh) : gh = {g = a.g + b.g, h = a.h + b.h}
def zero : gh = {g = 0, h = 0}

def gain (lambda: f64) (l: gh) (total: gh) : f64 =
  let part (x: gh) = x.g * x.g / (x.h + lambda)
  let r = {g = total.g - l.g, h = total.h - l.h}
  in part l + part r - part total

entry main [n] [f] (nodes: i64) (lambda: f64) (codes: [f][n]u8) (node: [n]u8) (grad: [n]f32) (label: [n]bool) =
  let where = map (\x -> i64.u8 x % nodes) node
  let vals = map2 (\g y -> let p = f64.f32 g * 0.8 + 0.1
                           in {g = p - f64.bool y, h = p * (1 - p)}) grad label
  let feature (c: [n]u8) : [nodes][bins]gh =
    unflatten (reduce_by_index (replicate (nodes * bins) zero) add zero
                               (map2 (\b k -> k * bins + i64.u8 b % bins) c where) vals)
  let hists = map feature codes
  let gains = map (map (\h ->
                let s = scan add zero h
                let total = last s
                in map (\l -> gain lambda l total) s)) hists
  let best = map (map f64.maximum) gains
  let per_node = map f64.maximum (transpose best)
  in (best, per_node, map (map (map (\x -> x.h))) hists)
