import type { Log } from '#server/ports/runtime.ts'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * Writes entries of at least `level`: as one JSON object a line, or as plain text on a terminal.
 */
export function createLog(level: LogLevel): Log {
  const format = process.stdout.isTTY ? formatForPeople : formatAsJson
  const method = (own: LogLevel) => (facts: Record<string, unknown>, message: string) => {
    if (logLevels.indexOf(own) < logLevels.indexOf(level)) return
    process.stdout.write(`${format(own, facts, message)}\n`)
  }
  return {
    debug: method('debug'),
    info: method('info'),
    warn: method('warn'),
    error: method('error'),
  }
}

type Format = (level: LogLevel, facts: Record<string, unknown>, message: string) => string

const formatAsJson: Format = (level, facts, message) =>
  JSON.stringify({ time: new Date().toISOString(), level, message, ...facts }, writable)

const formatForPeople: Format = (level, facts, message) => {
  const time = new Date().toTimeString().slice(0, 8)
  const suffix = Object.keys(facts).length === 0 ? '' : ` ${JSON.stringify(facts, writable)}`
  return `${time} ${level.padEnd(5)} ${message}${suffix}`
}

/** JSON cannot represent errors and big integers. */
function writable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (!(value instanceof Error)) return value
  return {
    name: value.name,
    message: value.message,
    stack: value.stack,
    ...(value.cause !== undefined && { cause: value.cause }),
  }
}
