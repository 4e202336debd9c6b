/** Makes all who ask with the same key, while an answer is on its way, wait for that one. */
export function shareInFlight<Key, Answer>(
  ask: (key: Key) => Promise<Answer>,
): (key: Key) => Promise<Answer> {
  const inFlight = new Map<Key, Promise<Answer>>()
  return (key) => {
    const shared = inFlight.get(key)
    if (shared !== undefined) return shared
    const answer = ask(key).finally(() => inFlight.delete(key))
    inFlight.set(key, answer)
    return answer
  }
}
