/** Like `expect`, which is too slow for millions of calls. */
export function checkSo(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`It has to be so that ${what}.`)
}
