/** Remembers what was derived last: deriving takes a millisecond each time. */
export function rememberLast(count: number, derive: (index: number) => string) {
  const derived = new Map<number, string>()
  return (index: number): string => {
    const address = derived.get(index) ?? derive(index)
    if (derived.size >= count) derived.clear()
    derived.set(index, address)
    return address
  }
}
