import type { SaleState } from '#contract/operator/operations.ts'
import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { StateLook } from '#console/kit/values.tsx'

const saleStates: Record<SaleState['status'], StateLook> = {
  NOT_STARTED: ['info', 'Not started'],
  ACTIVE: ['success', 'On sale'],
  PAUSED: ['warning', 'Paused'],
  ENDED: ['neutral', 'Ended'],
}

/** An instance that cannot use the applied sale file sells nothing. */
export function saleLook({ status, sale_file_fault: fault }: SaleState): StateLook {
  return fault !== null && status === 'ACTIVE' ? ['error', 'Not selling'] : saleStates[status]
}

export const stageStates: Record<ListedStage['status'], StateLook> = {
  upcoming: ['neutral', 'Upcoming'],
  active: ['success', 'On sale'],
  paused: ['warning', 'Paused'],
  ended: ['neutral', 'Ended'],
}
