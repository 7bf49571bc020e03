-- A radix tree over sorted Morton codes (Karras), each inner node found by itself; parents, spans and leaf depths.
def codes_of [n] (gaps: [n]u8) : [n]u32 = scan (+) 0 (map (\g -> u32.u8 (g / 3) * 4) gaps)

def common [n] (cs: [n]u32) (i: i64) (j: i64) : i32 =
  if j < 0 || j >= n then -1
  else if cs[i] == cs[j] then 32 + u32.clz (u32.i64 i ^ u32.i64 j)
  else u32.clz (cs[i] ^ cs[j])

def inner [n] (cs: [n]u32) (i: i64) : (i64, i64, i64) =
  let d = if common cs i (i + 1) > common cs i (i - 1) then 1 else -1
  let least = common cs i (i - d)
  let top = loop m = 2i64 while common cs i (i + m * d) > least do m * 2
  let (len, _) = loop (l, t) = (0, top / 2) while t >= 1 do
                   (if common cs i (i + (l + t) * d) > least then l + t else l, t / 2)
  let j = i + len * d
  let node = common cs i j
  let (s, _, _) = loop (s, t, go) = (0, (len + 1) / 2, true) while go do
                    let s' = if common cs i (i + (s + t) * d) > node then s + t else s
                    in (s', (t + 1) / 2, t > 1)
  in (i + s * d + i64.min d 0, i64.min i j, i64.max i j)

entry main [n] (gaps: [n]u8) : ([]i64, []i64, [n]i32, i32) =
  let cs = codes_of gaps
  let (split, first, last) = unzip3 (tabulate (n - 1) (inner cs))
  let m = n - 1
  let left = map2 (\s f -> if s == f then m + s else s) split first
  let right = map2 (\s l -> if s + 1 == l then m + s + 1 else s + 1) split last
  let parent = scatter (replicate (m + n) (-1)) left (iota (n - 1))
  let parent = scatter parent right (iota (n - 1))
  let depth i = (loop (p, k) = (parent[m + i], 0i32) while p >= 0 do (parent[p], k + 1)).1
  let depths = map depth (iota n)
  in (split, map2 (-) last first, depths, i32.maximum depths)
