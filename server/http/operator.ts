import { operatorContract } from '#contract/operator.ts'
import { getSaleState } from '#server/use-cases/get-sale-state.ts'
import { pauseSale } from '#server/use-cases/pause-sale.ts'
import { resumeSale } from '#server/use-cases/resume-sale.ts'
import { implement } from './implement.ts'
import { presentSaleState } from './present-sale-state.ts'

export const operatorRoutes = implement(operatorContract, {
  getSaleState: async (services) => presentSaleState(await getSaleState(services)),
  pauseSale: async (services, { body }) => presentSaleState(await pauseSale(services, body.reason)),
  resumeSale: async (services, { body }) =>
    presentSaleState(await resumeSale(services, body.force)),
})
