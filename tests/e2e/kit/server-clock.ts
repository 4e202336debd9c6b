import { readFileSync } from 'node:fs'

/**
 * Loaded before a server starts, with `node --import`: at each SIGUSR2 its clocks jump ahead by as
 * many milliseconds as CLOCK_FILE says, including the monotonic one, and so that of the embedded
 * database.
 */
const file = process.env['CLOCK_FILE'] ?? ''
let aheadMs = 0
process.on('SIGUSR2', () => {
  aheadMs = Number(readFileSync(file, 'utf8'))
})

const RightDate = Date
const rightNow = performance.now.bind(performance)

globalThis.Date = class extends RightDate {
  constructor(...given: [] | [value: number | string | Date]) {
    super(given.length === 0 ? RightDate.now() + aheadMs : given[0])
  }

  static override now(): number {
    return RightDate.now() + aheadMs
  }
} as DateConstructor
performance.now = () => rightNow() + aheadMs
