-- Wagner-Whitin lot sizing for many products: cheapest order plan over the horizon in whole cents, and the plan itself.
entry main [p][t] (setup: f32) (hold: [p]f32) (demand: [p][t]f32) : ([p]i64, [p]i32, [p][t]i64) =
  let solve (h: f32) (d: [t]f32) =
    let d = map (\x -> if x < 0.3 then 0 else i64.f32 (x * 100)) d
    let h = 1 + i64.f32 (h * 20)
    let k = 500 + i64.f32 (2000 * setup)
    -- cost[j]: best cost of the first j periods; from[j]: first period of the last order
    let (cost, from) =
      loop (cost, from) = (replicate (t + 1) 0i64, replicate (t + 1) 0i64) for j in 1...t do
        let (best, at, _, _, _) =
          loop (best, at, carry, need, i) = (i64.highest, 0, 0, 0, j - 1) while i >= 0 && carry < best do
            -- extending the order back to period i holds everything needed one period longer
            let carry = if i == j - 1 then 0 else carry + h * need
            let need = need + d[i]
            let c = cost[i] + carry + (if need > 0 then k else 0)
            let (best, at) = if c < best then (c, i) else (best, at)
            in (best, at, carry, need, i - 1)
        in (cost with [j] = best, from with [j] = at)
    let pre = [0] ++ scan (+) 0 d
    let (_, orders, plan) =
      loop (j, orders, plan) = (t, 0i32, replicate t 0i64) while j > 0 do
        let i = from[j]
        let q = pre[j] - pre[i]
        in (i, if q > 0 then orders + 1 else orders, plan with [i] = q)
    in (cost[t], orders, plan)
  in unzip3 (map2 solve hold demand)
