-- Spinodal decomposition after Cahn and Hilliard on a torus in double precision: chemical potential, then its Laplacian with a mobility that depends on the mixture; free energy at the end.
def lap [h][w] (a: [h][w]f64): [h][w]f64 =
  let north = rotate (-1) a
  let south = rotate 1 a
  let west = map (rotate (-1)) a
  let east = map (rotate 1) a
  in map5 (map5 (\n s w e c -> n + s + w + e - 4*c)) north south west east a

entry main [h][w] (steps: i32) (kappa: f64) (dt: f64) (init: [h][w]f64): ([h][w]f64, f64, f64) =
  let c0 = map (map (\x -> 0.2*(x - 0.5))) init
  let potential c = map2 (map2 (\c l -> c*c*c - c - kappa*l)) c (lap c)
  let step c =
    let mu = potential c
    let flux a b ma mb = (1 - 0.5*(a*a + b*b)/2) * (mb - ma)
    let fx = map4 (map4 flux) c (map (rotate 1) c) mu (map (rotate 1) mu)
    let fy = map4 (map4 flux) c (rotate 1 c) mu (rotate 1 mu)
    in map5 (map5 (\c r l d u -> c + dt*(r - l + d - u))) c fx (map (rotate (-1)) fx) fy (rotate (-1) fy)
  let c = iterate steps step c0
  let energy =
    let gx = map2 (map2 (-)) (map (rotate 1) c) c
    let gy = map2 (map2 (-)) (rotate 1 c) c
    in f64.sum (flatten (map3 (map3 (\c p q -> (1 - c*c)**2/4 + kappa/2*(p*p + q*q))) c gx gy))
  let n = f64.i64 (h*w)
  in (c, energy / n, f64.sum (flatten c) / n)
