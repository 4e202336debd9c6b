import { useSearchParams } from 'react-router'

/**
 * The filters of a table, kept in the address, so that going back, reloading and sharing the link
 * show the same. An empty one is left out of the address. Changing one goes back to the first page.
 */
export function useFilters<const Name extends string>(names: readonly Name[]) {
  const [params, setParams] = useSearchParams()
  const values = Object.fromEntries(
    names.flatMap((name) => {
      const value = params.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  ) as Partial<Record<Name, string>>
  const set = (changes: Partial<Record<Name, string | null>>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries<string | null | undefined>(changes)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      },
      { replace: true },
    )
  const clear = () =>
    set(Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>)
  return { values, set, clear, isAnySet: Object.keys(values).length > 0 }
}
