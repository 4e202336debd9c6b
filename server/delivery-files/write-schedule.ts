import { scheduledAmounts, type ToolSchedule } from '#domain/delivery/tool-schedule.ts'
import type { FileContent } from '#server/ports/distribution-files.ts'

/**
 * What the operator enters besides the file, in the contract's own units, and the total of all rows
 * at each step, with each wallet's part rounded as the contract does.
 */
export async function* writeSchedule(content: FileContent): AsyncGenerator<string> {
  const { schedule, rowCount } = content
  if (schedule === null) throw new Error(`Distribution ${content.id} has no schedule`)
  let sums: bigint[] = []
  for await (const rows of content.rows(0, rowCount)) {
    for (const { amount } of rows) {
      const parts = scheduledAmounts(amount, schedule)
      sums = parts.map((part, nth) => part + (sums[nth] ?? 0n))
    }
  }
  const start = new Date(schedule.vesting_start_time * 1000).toISOString()
  const file = { kind: schedule.kind, start, ...inOrder(schedule), amounts: sums.map(String) }
  yield `${JSON.stringify(file, null, 2)}\n`
}

/** With its fields always in the same order, which the database does not keep. */
function inOrder(schedule: ToolSchedule): object {
  const { vesting_start_time } = schedule
  if (schedule.kind === 'tranched') {
    const tranches = schedule.tranches.map(({ unlock_percentage, duration }) => {
      return { unlock_percentage, duration }
    })
    return { vesting_start_time, tranches }
  }
  const { start_unlock_percentage, cliff_duration, cliff_unlock_percentage, total_duration } =
    schedule
  return {
    vesting_start_time,
    start_unlock_percentage,
    cliff_duration,
    cliff_unlock_percentage,
    total_duration,
  }
}
