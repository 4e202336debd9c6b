/** As `expect`, which is too slow to be asked millions of times. */
export function checkSo(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`It has to be so that ${what}.`)
}
