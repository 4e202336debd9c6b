import { lazy, type ComponentType } from 'react'

/** A component whose code is fetched when it is first shown, or earlier by `preload`. */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Lazy = lazy(async () => ({ default: await load() }))
  const preload = () => void load().catch(() => undefined)
  return Object.assign(Lazy, { preload })
}
