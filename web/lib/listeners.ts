export interface Listeners {
  /** Calls back at each change. Returns the way out. */
  subscribe: (listener: () => void) => () => void
  notify: () => void
}

/** Who wants to hear of a change, in the form in which `useSyncExternalStore` subscribes them. */
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
