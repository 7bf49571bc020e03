entry main (n: i64) : (i64, i32) =
  reduce_comm (\(i,a) (j,b) -> if a > b || (a == b && i < j) then (i,a) else (j,b)) (0,0)
   (map (\i -> (i, (loop (x, s) = (i+1, 0) while x > 1 do (if x%2 == 0 then x/2 else 3*x+1, s+1)).1)) (iota n))
