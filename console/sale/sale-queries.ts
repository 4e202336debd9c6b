import { queryOptions } from '@tanstack/react-query'
import { operatorContract } from '#contract/operator/operations.ts'
import { saleFilesContract } from '#contract/operator/sale-files.ts'
import { saleContract } from '#contract/sale.ts'
import { LOOK_EVERY_MS } from '#console/kit/loaded.tsx'
import { callQuery } from '#web/lib/api/call-query.ts'

export const saleStateQuery = queryOptions({
  ...callQuery(['operator', 'sale', 'state'], operatorContract.getSaleState, {}),
  refetchInterval: LOOK_EVERY_MS,
})

export const saleStagesQuery = queryOptions({
  ...callQuery(['operator', 'sale', 'stages'], saleContract.listStages, {}),
  refetchInterval: LOOK_EVERY_MS,
})

export const salePartsQuery = callQuery(
  ['operator', 'sale', 'parts'],
  saleFilesContract.listSaleParts,
  {},
)

export const saleFileQuery = callQuery(
  ['operator', 'sale', 'file'],
  saleFilesContract.getSaleFile,
  {},
)
