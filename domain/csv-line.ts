/**
 * What a spreadsheet would take for a formula, even after whitespace. Some treat full-width signs,
 * which East Asian keyboards type, like the narrow ones.
 */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/**
 * A line of CSV (RFC 4180) with its line end. A cell that a spreadsheet would run as a formula gets
 * a leading apostrophe, which makes it text: buyers choose their names and addresses. Every cell is
 * quoted, since some programs also split lines at semicolons or tabs.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map((cell) => csvCell(String(cell))).join(',')}\r\n`
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
