/** Callbacks for a change, in the form that `useSyncExternalStore` subscribes. */
export function createListeners() {
  const listeners = new Set<() => void>()
  return {
    /** Calls back at each change. Returns the function that unsubscribes. */
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    notify() {
      for (const listener of listeners) listener()
    },
  }
}
