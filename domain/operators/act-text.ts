/** `payRefund` → `Pay refund`: the name of a call, in words. */
export function actText(act: string): string {
  const words = act.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
