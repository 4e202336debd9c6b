import * as z from 'zod/mini'
import { SignedSweep, sweepsContract } from '#contract/operator/sweeps.ts'
import { parseDecimal } from '#domain/money.ts'
import { wrongField } from '#domain/refusal.ts'
import { implement } from '#server/http/routing/implement.ts'
import { listSweep } from '#server/use-cases/sweeps/list-sweep.ts'
import { reportSweeps, withTransactions } from '#server/use-cases/sweeps/report-sweeps.ts'
import { sendSweep, stopSweep } from '#server/use-cases/sweeps/send-sweep.ts'
import { presentList, presentSweep, presentSweepReport } from './present-sweeps.ts'

const GWEI_DECIMALS = 9

export const sweepsRoutes = implement(sweepsContract, {
  getSweeps: async (services) => presentSweepReport(await reportSweeps(services), services.sale),
  listSweep: async (services, { query }) => {
    const { chain_id: chainId, gas_gwei: gwei, min_usd: minUsd, limit } = query
    const gasPrice = gwei === undefined ? null : parseDecimal(gwei, GWEI_DECIMALS)
    return presentList(await listSweep(services, { chainId, gasPrice, minUsd, limit }))
  },
  sendSweep: async (services, { body: { text } }, operator) => {
    const { chain_id: chainId, transactions } = readFile(text)
    const sweep = await sendSweep(services, { text, chainId, transactions }, operator)
    return presentSweep(await withTransactions(services, sweep), services.sale)
  },
  stopSweep: async (services, { params: { id } }, operator) => {
    const sweep = await stopSweep(services, id, operator)
    return presentSweep(await withTransactions(services, sweep), services.sale)
  },
})

function readFile(text: string): SignedSweep {
  try {
    const parsed = z.safeParse(SignedSweep, JSON.parse(text))
    if (parsed.success) return parsed.data
  } catch {
    // Answered like any other text that is not such a file.
  }
  throw wrongField(
    'text',
    'This is not a file of signed transactions: sign the list with npm run keys -- sweep',
  )
}
