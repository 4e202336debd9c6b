import { saleContract } from '#contract/sale.ts'
import { callQuery } from '#web/lib/api/call-query.ts'

export const projectQuery = callQuery(['operator', 'project'], saleContract.getCurrentProject, {})
