/** Offers a text to the browser as a file to be saved under that name. */
export function saveFile(name: string, text: string, mediaType: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: mediaType }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads the address after it has handled the click.
  setTimeout(() => URL.revokeObjectURL(address))
}
