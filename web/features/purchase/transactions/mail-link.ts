/** Opens the reader's mail program with a new mail, its subject filled in. */
export function mailLink(address: string, subject: string): string {
  return `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}?subject=${encodeURIComponent(subject)}`
}
