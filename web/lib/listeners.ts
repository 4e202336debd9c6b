export interface Listeners {
  /** Calls back at each change. Returns the function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
  notify: () => void
}

/** Callbacks for a change, in the form that `useSyncExternalStore` subscribes. */
export function createListeners(): Listeners {
  const listeners = new Set<() => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    notify() {
      for (const listener of listeners) listener()
    },
  }
}
