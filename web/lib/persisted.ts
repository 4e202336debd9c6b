type Stored = string | number | boolean

const PREFIX = 'presale.'

/**
 * Numbers, strings and booleans, each with a tag of its type (specification section 9): `number:5`,
 * `string:blue`, `boolean:true`. A storage that is full or forbidden is treated as empty, so that
 * the page works without one.
 */
const valuesIn = (storage: () => Storage) => ({
  read(name: string): Stored | null {
    try {
      return decode(storage().getItem(PREFIX + name))
    } catch {
      return null
    }
  },
  write(name: string, value: Stored) {
    try {
      storage().setItem(PREFIX + name, `${typeof value}:${value}`)
    } catch {
      // Kept for this page only.
    }
  },
  remove(name: string) {
    try {
      storage().removeItem(PREFIX + name)
    } catch {
      // Nothing was stored.
    }
  },
})

/** What is kept until its tab is closed, also where its page is loaded again. */
export const keptInTab = valuesIn(() => sessionStorage)

/** What is kept on this device. */
export const persisted = {
  ...valuesIn(() => localStorage),
  /** Calls back when another tab changes a value. */
  watch(listener: () => void): () => void {
    const onStorage = (event: StorageEvent) => {
      if (event.key === null || event.key.startsWith(PREFIX)) listener()
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  },
}

function decode(text: string | null): Stored | null {
  const [, tag, value] = /^(\w+):(.*)$/s.exec(text ?? '') ?? []
  if (value === undefined) return null
  if (tag === 'string') return value
  if (tag === 'boolean') return value === 'true'
  if (tag === 'number' && value !== '' && Number.isFinite(Number(value))) return Number(value)
  return null
}
