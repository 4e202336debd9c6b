import { operatorContract } from '#contract/operator/operations.ts'
import { saleFilesContract } from '#contract/operator/sale-files.ts'
import { saleContract } from '#contract/sale.ts'
import { watchedQuery } from '#console/kit/loaded.tsx'
import { callQuery } from '#web/lib/api/call-query.ts'

export const saleStateQuery = watchedQuery(
  ['operator', 'sale', 'state'],
  operatorContract.getSaleState,
  {},
)

export const saleStagesQuery = watchedQuery(
  ['operator', 'sale', 'stages'],
  saleContract.listStages,
  {},
)

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
