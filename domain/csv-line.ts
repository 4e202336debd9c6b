/**
 * What a spreadsheet would take for a formula, also after blanks. Some read full-width signs, which
 * keyboards of East Asia type, as the narrow ones.
 */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/**
 * A line of CSV (RFC 4180) with its end. A cell that a spreadsheet would run as a formula gets an
 * apostrophe in front, which makes it a text: buyers choose their names and addresses. Every cell
 * is quoted, since some programs split lines at semicolons or tabs too.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map((cell) => csvCell(String(cell))).join(',')}\r\n`
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
