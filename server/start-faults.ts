import { ConfigFaults } from './config/config.ts'
import { DatabaseUnusable } from './database/connection/database-unusable.ts'
import { formatFaults } from './sale-file/read-sale-file.ts'
import { SaleRefused } from './use-cases/sale/apply-sale.ts'

/** A reason not to start; the message says what to do. */
export class StartFault extends Error {
  override readonly name = 'StartFault'
}

/** The message for the operator for anything that stopped the start. */
export function explainStartFault(fault: unknown, saleFile: string | null): string {
  if (fault instanceof ConfigFaults) return explainConfig(fault.faults)
  if (fault instanceof SaleRefused) return explainSale(fault, saleFile ?? 'sale file')
  if (fault instanceof StartFault || fault instanceof DatabaseUnusable) {
    return endSentence(fault.message)
  }
  const isCoded = fault instanceof Error && 'code' in fault
  return (isCoded && explainSystemFault(String(fault.code), fault)) || explainUnexpected(fault)
}

/** A file of the console is in the database; another one on the disk takes its place. */
function explainSale({ faults, appliedAt }: SaleRefused, saleFile: string): string {
  if (appliedAt === null) return formatFaults(saleFile, faults)
  return (
    `${formatFaults(`applied in the console on ${appliedAt.toISOString()}`, faults)}\n` +
    `This is the sale that was applied last. Correct what is beside ${saleFile}, or correct a copy ` +
    `of it, put that in the place of ${saleFile} and start again.`
  )
}

function explainConfig(faults: readonly string[]): string {
  const lines = faults.map((fault) => `- ${endSentence(fault)}`)
  return ['Some settings are wrong. Correct these and start again:', ...lines].join('\n')
}

function explainSystemFault(code: string, fault: Error & { port?: number; path?: string }) {
  switch (code) {
    case 'EADDRINUSE':
      return (
        `Port ${fault.port} is in use by another program. ` +
        'Stop that program, or choose another port with PORT.'
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'HOST is not an address of this machine. Set it to one, such as 127.0.0.1 or 0.0.0.0.'
    case 'EACCES':
    case 'EPERM':
      return fault.path === undefined
        ? `Port ${fault.port} cannot be used without more rights. Choose one above 1023 with PORT.`
        : `${fault.path} cannot be read or written. Give this user access, or set DATA_DIR.`
    case 'ENOSPC':
      return 'The disk is full. Make room and start again.'
    default:
      return fault.path === undefined ? null : explainPathFault(code, fault.path)
  }
}

function explainPathFault(code: string, path: string): string | null {
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return (
        `${path} cannot be a folder, since a file is there or above it. Move the file away, or ` +
        'set DATA_DIR to a folder.'
      )
    case 'ENOENT':
      return (
        `${path} is not there and cannot be made. Mount the disk that it is on, or set DATA_DIR ` +
        'to another folder.'
      )
    case 'EROFS':
      return (
        `${path} is read-only here. Make it writable, in the mount of its disk or in the ` +
        "service's unit, or set DATA_DIR to a folder that is."
      )
    default:
      return null
  }
}

function explainUnexpected(fault: unknown): string {
  const what = fault instanceof Error ? fault.message : String(fault)
  return endSentence(`The server could not start: ${what}`)
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
