import { rowToWire, instantToWire, orNull } from '#contract/codec.ts'
import type {
  Distribution,
  DistributionOutlook as WireOutlook,
  DistributionRecord as WireRecord,
} from '#contract/operator/distributions.ts'
import type { ToolSchedule } from '#domain/delivery/tool-schedule.ts'
import { formatDecimal } from '#domain/money.ts'
import { presentAsked } from '#server/http/routing/present-approval.ts'
import { manifestName, rootText } from '#server/use-cases/distributions/distribution-file.ts'
import type {
  DistributionOutlook,
  DistributionRecord,
  DistributionView,
} from '#server/use-cases/distributions/distribution-view.ts'

export function presentDistribution(view: DistributionView): Distribution {
  const { saleDecimals, token_decimals: decimals } = view
  return {
    ...rowToWire(view),
    id: String(view.id),
    chain_id: Number(view.chain_id),
    rows: view.row_count,
    tokens: formatDecimal(view.tokens, saleDecimals),
    amount: formatDecimal(view.amount, decimals),
    amount_base_units: String(view.amount),
    left_out: {
      rows: view.dust_count,
      tokens: formatDecimal(view.dust_tokens, saleDecimals),
    },
    root: rootText(view.root),
    from_block: orNull(view.from_height, String),
  }
}

export function presentDistributionRecord(record: DistributionRecord): WireRecord {
  return {
    ...presentDistribution(record),
    files: record.files.map((file) => ({
      name: file.name,
      rows: file.row_count,
      amount: formatDecimal(file.amount, record.token_decimals),
      bytes: Number(file.bytes),
      sha256: Buffer.from(file.sha256).toString('hex'),
    })),
    progress: {
      ...record.progress,
      arrived_amount: formatDecimal(record.progress.amountArrived, record.token_decimals),
      swept_amount: formatDecimal(record.progress.amountSwept, record.token_decimals),
      missing_amount: formatDecimal(record.progress.amountMissing, record.token_decimals),
    },
    asked_acts: record.asked.map(presentAsked),
    manifest_file: manifestName(record.id),
    schedule: orNull(record.schedule, presentSchedule),
  }
}

function presentSchedule(schedule: ToolSchedule): NonNullable<WireRecord['schedule']> {
  const start = new Date(schedule.vesting_start_time * 1000)
  const shared = { kind: schedule.kind, vesting_start_date: instantToWire(start) }
  if (schedule.kind === 'tranched') {
    const steps = schedule.tranches.map((tranche, nth) => ({
      name: `Tranche ${nth + 1}`,
      percentage: tranche.unlock_percentage,
      seconds: tranche.duration,
    }))
    return { ...shared, steps, total_seconds: null }
  }
  return {
    ...shared,
    steps: [
      { name: 'Start', percentage: schedule.start_unlock_percentage, seconds: 0 },
      {
        name: 'Cliff',
        percentage: schedule.cliff_unlock_percentage,
        seconds: schedule.cliff_duration,
      },
    ],
    total_seconds: schedule.total_duration,
  }
}

export function presentOutlook(outlook: DistributionOutlook, decimals: number): WireOutlook {
  return {
    ...rowToWire(outlook),
    snapshot: orNull(outlook.snapshot, ({ tokens, unassigned, given, ...snapshot }) => ({
      ...rowToWire(snapshot),
      owners: snapshot.ownerCount,
      tokens: formatDecimal(tokens, decimals),
      unassigned: { ...unassigned, tokens: formatDecimal(unassigned.tokens, decimals) },
      handed_out: formatDecimal(given, decimals),
    })),
    releases: outlook.releases.map(({ months, date, released }) => ({
      months,
      date: orNull(date, instantToWire),
      released: formatDecimal(released, decimals),
    })),
    token_decimals: outlook.decimals,
  }
}
