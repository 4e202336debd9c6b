/**
 * Moves the focus to the heading if what had it is gone from the page, such as the row that was
 * acted on: the keyboard would begin at the top of the page otherwise, and a screen reader fall
 * silent.
 */
export function keepFocus(): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  })
}
