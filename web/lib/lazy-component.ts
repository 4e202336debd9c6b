import { createElement, lazy, useState, type ComponentType } from 'react'

type PropsOf<Part> = Part extends ComponentType<infer Props extends object> ? Props : never

/**
 * A component whose module is fetched when it is first shown, or earlier by `preload`. Code that is
 * already there is shown at once, without a moment of waiting. `load` resolves to whether it could
 * be loaded; the next call tries again.
 */
export function lazyComponent<Module, Name extends keyof Module>(
  fetchModule: () => Promise<Module>,
  name: Name,
) {
  type Props = PropsOf<Module[Name]>
  let loaded: ComponentType<Props> | null = null
  const fetchOnce = async () => (loaded ??= (await fetchModule())[name] as ComponentType<Props>)
  const Lazy = lazy(async () => ({ default: await fetchOnce() }))
  function Component(props: Props) {
    // Chosen once, since another choice at a later render would remount the component.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Lazy)
    return createElement(Shown, props)
  }
  const load = () =>
    fetchOnce().then(
      () => true,
      () => false,
    )
  return Object.assign(Component, { load, preload: () => void load() })
}
