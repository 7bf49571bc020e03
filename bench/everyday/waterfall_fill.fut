-- Fill orders in priority order from a limited supply (what is left by an exclusive running sum), with the value of each fill.
entry main [n] (share: f32) (qty: [n]u16) (price: [n]u8) : ([n]i32, [n]i64, i64, i64) =
  let q = map (\x -> i64.u16 x % 1000 + 1) qty
  let supply = i64.f32 (share * f32.i64 (i64.sum q))
  let upto = scan (+) 0 q
  let before = map2 (-) upto q
  let fill = map2 (\b x -> i64.max 0 (i64.min x (supply - b))) before q
  let cash = map2 (\f p -> f * (100 + i64.u8 p)) fill price
  let full = i64.sum (map2 (\f x -> i64.bool (f == x)) fill q)
  let running = scan (+) 0 cash
  in (map i32.i64 fill, map2 (\r c -> r - c / 2) running cash, i64.sum cash, full)
