def cnd (d: f64) = let k = 1/(1+0.2316419*f64.abs d) let p = k*(0.319381530 + k*(-0.356563782 + k*(1.781477937 + k*(-1.821255978 + k*1.330274429))))
  let c = 0.39894228040143*f64.exp (-0.5*d*d)*p in if d > 0 then 1-c else c
entry main [n] (s: [n]f64) (k: [n]f64) (t: [n]f64) : ([n]f64, [n]f64) =
  let price s = map3 (\s k t -> let (s,k,t) = (s*100+1, k*100+1, t+0.1) let v = 0.3*f64.sqrt t let d1 = (f64.log (s/k) + (0.05+0.045)*t)/v in s*cnd d1 - k*f64.exp (-0.05*t)*cnd (d1-v)) s k t
  let p = price s
  in (p, map2 (\a b -> (a-b)/1e-4) (price (map (+ 1e-6) s)) p)
