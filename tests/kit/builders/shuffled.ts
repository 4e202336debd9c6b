/** Our own small generator, so that an order is one number that a failure can print. */
export function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/** Some of what happened twice, all in random order. */
export function shuffled<Any>(happened: readonly Any[], seed: number): Any[] {
  const roll = dice(seed)
  const left = [...happened, ...happened.filter(() => roll(3) === 0)]
  const order: Any[] = []
  while (left.length > 0) order.push(...left.splice(roll(left.length), 1))
  return order
}
