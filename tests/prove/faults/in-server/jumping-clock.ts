/**
 * Loaded into a server before it starts, with `node --import`: its machine's clock is wrong by
 * `CLOCK_AHEAD_MS`, and jumps to the next of `CLOCK_JUMPS_MS` at each SIGUSR2, which it prints.
 */
const jumps = JSON.parse(process.env['CLOCK_JUMPS_MS'] ?? '[]') as number[]
let aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0)
const RightDate = Date

globalThis.Date = class extends RightDate {
  constructor(...given: [] | [value: number | string | Date]) {
    super(given.length === 0 ? RightDate.now() + aheadMs : given[0])
  }

  static override now(): number {
    return RightDate.now() + aheadMs
  }
} as DateConstructor

process.on('SIGUSR2', () => {
  aheadMs = jumps.shift() ?? aheadMs
  process.stdout.write(`The clock says ${new Date().toISOString()}\n`)
})
