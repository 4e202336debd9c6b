import type { Sweep, SweepList, SweepReport } from '#contract/operator/sweeps.ts'
import { instantToWire, rowToWire } from '#contract/codec.ts'
import { sweepTransactionStates } from '#domain/chains/sweep-states.ts'
import { cryptoAmount, formatDecimal, USD_DECIMALS } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import type { SweptAsset } from '#server/ports/sweeping.ts'
import type { PlannedSweep } from '#server/use-cases/sweeps/list-sweep.ts'
import type {
  reportSweeps,
  SweepChainReport,
  SweepWithTransactions,
} from '#server/use-cases/sweeps/report-sweeps.ts'

/** Of every EVM chain's own coin. */
const COIN_DECIMALS = 18

/** The name of a recorded asset; one that is not the sale's is the chain's coin. */
function assetOf({ paymentTokens }: Sale, id: string | null) {
  const token = paymentTokens.find((each) => each.id === id)
  return { symbol: token?.symbol ?? 'COIN', decimals: token?.decimals ?? COIN_DECIMALS }
}

const sum = (list: readonly { amount: bigint }[]) =>
  cryptoAmount(list.reduce((total, { amount }) => total + amount, 0n))

export function presentList(planned: PlannedSweep): SweepList {
  const { chainId, fingerprint, treasury, madeAt, gasPrice, coinDecimals, payer } = planned
  const coins = (amount: bigint) => formatDecimal(amount, coinDecimals)
  const named = ({ symbol, contract, decimals }: SweptAsset) => ({ symbol, contract, decimals })
  const byAsset = Map.groupBy(planned.transfers, ({ asset }) => asset.contract)
  return {
    kind: 'sweep-list/1',
    chain_id: chainId,
    key_fingerprint: fingerprint,
    treasury,
    made_date: madeAt.toISOString(),
    gas_price: String(gasPrice),
    payer: {
      address: payer.address,
      nonce: Number(payer.nonce),
      balance: coins(payer.balance),
      needs: coins(payer.needs),
    },
    fundings: planned.fundings.map(({ address, amount, gas }) => ({
      address,
      amount: coins(amount),
      gas: Number(gas),
    })),
    transfers: planned.transfers.map(({ address, index, nonce, asset, amount, gas }) => ({
      address,
      index,
      nonce: Number(nonce),
      ...named(asset),
      amount: formatDecimal(amount, asset.decimals),
      gas: Number(gas),
    })),
    totals: [...byAsset.values()].flatMap((list) =>
      list.slice(0, 1).map(({ asset }) => ({
        ...named(asset),
        amount: formatDecimal(sum(list), asset.decimals),
        count: list.length,
      })),
    ),
    left_out: planned.leftOut.map(({ address, asset, amount, why }) => ({
      address,
      symbol: asset.symbol,
      amount: formatDecimal(amount, asset.decimals),
      why,
    })),
  }
}

export function presentSweep(sweep: SweepWithTransactions, sale: Sale): Sweep {
  const { transactions } = sweep
  const swept = transactions.filter(({ kind }) => kind !== 'gas')
  return {
    ...rowToWire(sweep),
    counts: Object.fromEntries(
      sweepTransactionStates.map((state) => [
        state,
        transactions.filter((each) => each.state === state).length,
      ]),
    ) as Sweep['counts'],
    totals: [...Map.groupBy(swept, ({ payment_token_id: id }) => id)].map(([id, list]) => {
      const { symbol, decimals } = assetOf(sale, id)
      const confirmed = list.filter(({ state }) => state === 'confirmed')
      return {
        payment_token_id: id,
        symbol,
        amount: formatDecimal(sum(list), decimals),
        confirmed: formatDecimal(sum(confirmed), decimals),
      }
    }),
    faults: transactions.flatMap(({ transaction_hash: hash, kind, address, state, fault }) =>
      fault === null ? [] : [{ hash, kind, address, state, fault }],
    ),
  }
}

export function presentSweepReport(
  report: Awaited<ReturnType<typeof reportSweeps>>,
  sale: Sale,
): SweepReport {
  return {
    chains: report.chains.map((chain) => presentChain(chain, sale)),
    sweeps: report.sweeps.map((sweep) => presentSweep(sweep, sale)),
    movements: report.movements.map((each) => {
      const { symbol, decimals } = assetOf(sale, each.payment_token_id)
      return {
        chain: each.chain,
        hash: each.transaction_hash,
        address: each.address,
        recipient: each.counterparty,
        payment_token_id: each.payment_token_id,
        symbol,
        amount: formatDecimal(each.amount, decimals),
        moved_date: instantToWire(each.moved_at),
      }
    }),
  }
}

function presentChain(chain: SweepChainReport, sale: Sale): SweepReport['chains'][number] {
  const { name, treasury, sight, balances, swept } = chain
  const idOf = ({ paymentToken }: SweptAsset) => paymentToken?.id ?? null
  return {
    ...rowToWire(chain),
    chain: name,
    payer_balance: sight === null ? null : formatDecimal(sight.payer.balance, sight.coin.decimals),
    gas_price: sight === null ? null : String(sight.gasPrice),
    lying: [...Map.groupBy(balances, ({ asset }) => asset.contract).values()].flatMap((list) => {
      const sweepable = list.filter(({ paysOff }) => paysOff)
      return list.slice(0, 1).map(({ asset }) => ({
        payment_token_id: idOf(asset),
        symbol: asset.symbol,
        amount: formatDecimal(sum(list), asset.decimals),
        addresses: list.length,
        sweepable_amount: formatDecimal(sum(sweepable), asset.decimals),
        sweepable_addresses: sweepable.length,
      }))
    }),
    balances: balances.map(({ address, asset, amount, usd, paysOff }) => ({
      address,
      payment_token_id: idOf(asset),
      symbol: asset.symbol,
      amount: formatDecimal(amount, asset.decimals),
      amount_fiat: usd === null ? null : formatDecimal(usd, USD_DECIMALS),
      pays_off: paysOff,
    })),
    swept: swept.map(({ payment_token_id: id, counterparty, amount, count }) => {
      const { symbol, decimals } = assetOf(sale, id)
      return {
        payment_token_id: id,
        symbol,
        recipient: counterparty,
        is_treasury: counterparty === treasury,
        amount: formatDecimal(amount, decimals),
        count,
      }
    }),
  }
}
