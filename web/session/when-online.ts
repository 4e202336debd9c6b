/** Resolves at once, unless the browser says that there is no network: then when there is one. */
export async function whenOnline(): Promise<void> {
  // Where it is not known, it is tried.
  if (!('onLine' in navigator) || navigator.onLine) return
  await new Promise<void>((resolve) => {
    window.addEventListener('online', () => resolve(), { once: true })
  })
}
