import type { SaleFileFault } from '#domain/sale/sale-reading.ts'

/** The faults as an operator reads them: one line each, `sales/mine.yaml:12:5 path: what`. */
export function formatFaults(file: string, faults: readonly SaleFileFault[]): string {
  const lines = faults.map(({ line, column, path, message }) => {
    const place = `${file}:${line}:${column}`
    return path === '' ? `${place} ${message}` : `${place} ${path}: ${message}`
  })
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`
  return [`The sale file ${file} has ${count}. Nothing of it was applied.`, ...lines].join('\n')
}
