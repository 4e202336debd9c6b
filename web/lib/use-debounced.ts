import { useEffect, useEffectEvent, useState } from 'react'

/**
 * A value that follows `value` once it has stood still for `delayMs`. Values made anew at each
 * rendering need a `key` that says whether they are still the same.
 */
export function useDebounced<Value>(value: Value, delayMs: number, key: unknown = value): Value {
  const [settled, setSettled] = useState(value)
  const settle = useEffectEvent(() => setSettled(value))
  useEffect(() => {
    const timer = setTimeout(() => settle(), delayMs)
    return () => clearTimeout(timer)
  }, [key, delayMs])
  return settled
}
