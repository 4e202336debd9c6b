import { useEffect, useEffectEvent, useState } from 'react'

/**
 * A value that follows `value` once it has been unchanged for `delayMs`. Values created anew at
 * each render need a `key` that tells whether they are equal.
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
