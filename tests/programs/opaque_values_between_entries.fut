-- Values of types that have no text form go from one entry point to the next, several times.
-- ==
-- entry: result
-- script input { step (step (start 3i64)) } output { [5, 9, 13] }
-- script input { start 1i64 } output { [1] }
-- script input { step (start 0i64) } output { empty([0]i32) }

-- ==
-- entry: element
-- script input { (step (start 3i64), 1i64) } output { 5 }

type state [n] = {now: [n]i32, before: [n]i32, time: i32}

entry start (n: i64) : state [n] = {now = map (i32.i64 >-> (+ 1)) (iota n), before = replicate n 0, time = 0}

entry step [n] (s: state [n]) : state [n] =
  {now = map2 (\a b -> a + b + s.time) s.now s.before, before = s.now, time = s.time + 1}

entry result [n] (s: state [n]) : [n]i32 = map2 (\a b -> a + s.time * b) s.now s.before

entry element [n] (s: state [n]) (i: i64) : i32 = s.now[i] + s.before[i] + s.time
