import { queryOptions } from '@tanstack/react-query'
import { operatorContract } from '#contract/operator/operations.ts'
import { saleFilesContract } from '#contract/operator/sale-files.ts'
import { saleContract } from '#contract/sale.ts'
import { LOOK_EVERY_MS } from '#console/kit/look-every.ts'
import { call } from '#web/lib/api/call.ts'

export const saleStateQuery = queryOptions({
  queryKey: ['operator', 'sale', 'state'],
  queryFn: ({ signal }) => call(operatorContract.getSaleState, {}, { signal }),
  refetchInterval: LOOK_EVERY_MS,
})

export const saleStagesQuery = queryOptions({
  queryKey: ['operator', 'sale', 'stages'],
  queryFn: ({ signal }) => call(saleContract.listStages, {}, { signal }),
  refetchInterval: LOOK_EVERY_MS,
})

export const salePartsQuery = queryOptions({
  queryKey: ['operator', 'sale', 'parts'],
  queryFn: ({ signal }) => call(saleFilesContract.listSaleParts, {}, { signal }),
})

export const saleFileQuery = queryOptions({
  queryKey: ['operator', 'sale', 'file'],
  queryFn: ({ signal }) => call(saleFilesContract.getSaleFile, {}, { signal }),
})
