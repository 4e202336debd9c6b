import {
  linearSchedule,
  type ToolSchedule,
  tranchedSchedule,
} from '#domain/delivery/tool-schedule.ts'
import type { DistributionTool } from '#domain/delivery/distribution.ts'
import { toolTraits } from '#domain/delivery/tools.ts'
import type { ReleaseSchedule } from '#domain/sale/offer.ts'
import { scheduleOf } from '#domain/sale/release-schedule.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { refused } from './refused.ts'

/**
 * The schedule given to the tool; null if the tool does not release over time. Refuses with
 * `DistributionRefused` if one schedule for everybody cannot express what was promised.
 */
export function scheduleFor(
  sale: Pick<Sale, 'vesting' | 'stages'>,
  tool: DistributionTool,
  stageIds: readonly string[],
): ToolSchedule | null {
  if (!toolTraits[tool].releases) return null
  const schedules = stageIds.map((stageId) => scheduleOf(sale, stageId))
  const [first] = schedules
  if (first === undefined) throw refused('The snapshot is empty')
  if (!schedules.every((each) => isSame(each, first))) {
    throw refused(
      'The stages are released by different schedules, and a campaign has one for ' +
        'everybody. Hand out each release by itself, for example with sablier_instant',
    )
  }
  if (first.shape === 'instant') {
    throw refused('Everything is released at once. Use sablier_instant')
  }
  const startsAt = sale.vesting?.startsAt ?? null
  if (startsAt === null) {
    throw refused('The sale file does not say on which day the releases start. Add it there first')
  }
  if (tool === 'sablier_tranched') return tranchedSchedule(startsAt, first)
  const linear = linearSchedule(startsAt, first)
  if (linear !== null) return linear
  throw refused('These releases do not form an even line. Use sablier_tranched')
}

function isSame(one: ReleaseSchedule, other: ReleaseSchedule): boolean {
  return (
    one.tranches.length === other.tranches.length &&
    one.tranches.every(({ months, percentage }, nth) => {
      const beside = other.tranches[nth]
      return beside?.months === months && beside.percentage === percentage
    })
  )
}
