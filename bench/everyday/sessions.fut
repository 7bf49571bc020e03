-- Clicks in order of user and time cut into sessions: segmented scans of tuples, then a table of sessions.
type click = {new: bool, pages: i32, dwell: i32, best: i32, bits: u32}

def merge (a: click) (b: click) : click =
  if b.new then b
  else {new = a.new, pages = a.pages + b.pages, dwell = a.dwell + b.dwell, best = i32.max a.best b.best, bits = a.bits | b.bits}

def nothing : click = {new = false, pages = 0, dwell = 0, best = i32.lowest, bits = 0}

entry main [n] (timeout: u8) (user_change: [n]u8) (gap: [n]u8) (page: [n]u8) (score: [n]i32)
    : (i64, []i32, []i32, []i32, [32]i64) =
  let opens i = i == 0 || user_change[i] < 4 || gap[i] >= timeout
  let first = map opens (iota n)
  let rows = map4 (\f g p s -> {new = f, pages = 1, dwell = if f then 0 else i32.u8 g, best = s, bits = 1 << u32.u8 (p & 31)}) first gap page score
  let run = scan merge nothing rows
  let closing = filter (\i -> i == n - 1 || first[i + 1]) (iota n)
  let done = map (\i -> run[i]) closing
  let distinct = map (\s -> i64.i32 (u32.popc s.bits)) done
  let hist = hist (+) 0 32 (map (\d -> i64.min 31 (d - 1)) distinct) (map (const 1) done)
  in (length done, map (.pages) done, map (.dwell) done, map (.best) done, hist)
