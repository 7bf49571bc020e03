-- Queue with several servers, one replica a thread: servers' free times in a binary heap kept in place, integer clock, waiting statistics.
def rnd (s: u64) : u64 =
  let s = s ^ (s << 13)
  let s = s ^ (s >> 7)
  in s ^ (s << 17)

def replace_top [c] (heap: *[c]i32) (v: i32) : *[c]i32 =
  let (heap, i, _) =
    loop (heap, i, go) = (heap, 0i64, true) while go do
      let l = 2 * i + 1
      in if l >= c then (heap, i, false)
         else let child = if l + 1 < c && heap[l + 1] < heap[l] then l + 1 else l
              let h = heap[child]
              in if h < v then (heap with [i] = h, child, true) else (heap, i, false)
  in heap with [i] = v

def main [r] (customers: i32) (servers0: i64) (seeds: [r]u32) =
  let servers = i64.max 1 (i64.min 16 servers0)
  let replica (seed: u32) =
    let (_, _, _, wait, longest, delayed) =
      loop (s, heap, now, wait, longest, delayed) =
           (u64.u32 seed * 2654435761 + 88172645463325252, replicate servers 0i32, 0i32, 0i64, 0i32, 0i32)
      for _k < customers do
        let s1 = rnd s
        let s2 = rnd s1
        let now = now + i32.u64 (s1 >> 32) % 20
        let service = 1 + i32.u64 ((s2 >> 32) & 0xffff) * i32.i64 servers / 3600
        let free = heap[0]
        let start = i32.max now free
        let w = start - now
        let heap = replace_top heap (start + service)
        in (s2, heap, now, wait + i64.i32 w, i32.max longest w, delayed + i32.bool (w > 0))
    in (wait, longest, delayed)
  let (wait, longest, delayed) = unzip3 (map replica seeds)
  let h = reduce_by_index (replicate 32 0i32) (+) 0 (map (\l -> i64.min 31 (i64.i32 (l / 16))) longest) (replicate r 1)
  in (wait, longest, delayed, h, f64.i64 (i64.sum wait) / (f64.i64 r * f64.i32 (i32.max 1 customers)))
