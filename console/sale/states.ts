import type { SaleState } from '#contract/operator/operations.ts'
import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { StateLook } from '#console/kit/values.tsx'

export const saleStates: Record<SaleState['status'], StateLook> = {
  NOT_STARTED: ['info', 'Not started'],
  ACTIVE: ['success', 'On sale'],
  PAUSED: ['warning', 'Paused'],
  ENDED: ['neutral', 'Ended'],
}

export const stageStates: Record<ListedStage['status'], StateLook> = {
  upcoming: ['neutral', 'Upcoming'],
  active: ['success', 'On sale'],
  paused: ['warning', 'Paused'],
  ended: ['neutral', 'Ended'],
}
