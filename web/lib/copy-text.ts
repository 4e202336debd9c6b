/**
 * Puts text on the clipboard. The clipboard API is missing on plain http outside localhost, so
 * there a selection is copied instead. Rejects if neither works.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text)
    return
  }
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'sr-only'
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (!isCopied) throw new Error('The browser did not allow copying')
}
