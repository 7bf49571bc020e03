-- Concurrency of sessions over a timeline: +1/-1 events by histogram, running sum, overload against a capacity, busiest slot.
type~ report [k] = {peak: i32, at: i64, overloaded: i64, shed: i64, util: [k]f32}

def sweep [n] (slots: i64) (cap: i32) (sess: [n](i64, i64)) : report [slots] =
  let (ss, es) = unzip sess
  let delta = reduce_by_index (replicate (slots + 1) 0i32) (+) 0 (ss ++ es)
                              (replicate n 1 ++ replicate n (-1))
  let load = scan (+) 0 (take slots delta)
  let over = map (\l -> i32.max 0 (l - cap)) load
  let (peak, at) = reduce (\(a, i) (b, j) -> if b > a then (b, j) else (a, i))
                          (-1, -1) (zip load (indices load))
  in { peak, at
     , overloaded = i64.sum (map (\o -> i64.bool (o > 0)) over)
     , shed = i64.sum (map i64.i32 over)
     , util = map (\l -> f32.i32 l / f32.i32 cap) load }

entry main [n] (slots: i64) (start: [n]u32) (dur: [n]u16) : (i32, i64, i64, i64, []f32) =
  let slots = i64.max 1 slots
  let sess = map2 (\s d -> let a = i64.u32 s % slots
                           in (a, i64.min slots (a + 1 + i64.u16 d % 600))) start dur
  let cap = 1 + i32.i64 (n * 301 / slots)
  let r = sweep slots cap sess
  in (r.peak, r.at, r.overloaded, r.shed, r.util)
