-- The lowest and the highest price of each six hours, without reading the points between them.
create index price_points_by_span on price_points
  (date_bin('6 hours', at, '1970-01-01 00:00:00+00'::timestamptz), price, at, id);
