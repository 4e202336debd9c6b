import { useEffect, useState } from 'react'

/** A value that follows `value` once it has stood still for `delayMs`. */
export function useDebounced<Value extends string | number | null>(
  value: Value,
  delayMs: number,
): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
