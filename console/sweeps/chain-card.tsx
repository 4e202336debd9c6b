import { Download } from 'lucide-react'
import { type SweepReport, sweepsContract } from '#contract/operator/sweeps.ts'
import { networkName } from '#domain/chains/chain.ts'
import { type Column, Table } from '#console/kit/table.tsx'
import { call } from '#web/lib/api/call.ts'
import { formatCoins, formatUsd } from '#web/lib/format/format.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { SmallButton } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { Card, Figure, LabelledLine } from '#web/ui/layout/card.tsx'
import { Disclosure } from '#web/ui/layout/disclosure.tsx'

type Chain = SweepReport['chains'][number]

const GWEI_DECIMALS = 9

/** What lies at the addresses of one chain, what of it is worth sweeping, and what was swept. */
export function ChainCard({ chain }: { chain: Chain }) {
  const { treasury, payer, fault, lying, balances, swept, payer_balance: balance } = chain
  const gas = chain.gas_price === null ? null : gweiOf(chain.gas_price)
  return (
    <Card
      title={networkName(chain)}
      aside={lying.some((each) => each.sweepable_addresses > 0) && <ListButton chain={chain} />}
    >
      {fault !== null && <Banner tone="error">Its nodes do not answer now: {fault}</Banner>}
      {treasury === null && (
        <Banner tone="warning">
          No treasury is set, so nothing can be swept. The operating guide says how to set it.
        </Banner>
      )}
      {lying.length > 0 ? (
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {lying.map((each) => (
            <Figure
              key={each.symbol}
              size="medium"
              value={formatCoins(each.amount)}
              exact={each.amount}
              unit={each.symbol}
              label={`${countOf(each.addresses)}, worth sweeping at ${each.sweepable_addresses}`}
            />
          ))}
        </div>
      ) : (
        fault === null && <p className="text-quiet">There is no money at its addresses.</p>
      )}
      <dl className="flex flex-col divide-y divide-hairline">
        {treasury !== null && (
          <LabelledLine label="Treasury">
            <AddressText value={treasury} />
          </LabelledLine>
        )}
        <LabelledLine label="Pays the gas">
          <AddressText value={payer} />
        </LabelledLine>
        {balance !== null && (
          <LabelledLine label="Its balance">{formatCoins(balance)}</LabelledLine>
        )}
        {gas !== null && <LabelledLine label="Gas now">{`${gas} gwei`}</LabelledLine>}
      </dl>
      {balances.length > 0 && (
        <Disclosure title={`Balances by address, ${balances.length}`}>
          <Table
            label={`Balances on ${networkName(chain)}`}
            columns={balanceColumns}
            rows={balances}
            keyOf={({ address, symbol }) => `${address} ${symbol}`}
          />
        </Disclosure>
      )}
      {swept.length > 0 && (
        <Disclosure title="Transfers from its addresses">
          <Table
            label={`Transfers from addresses on ${networkName(chain)}`}
            columns={sweptColumns}
            rows={swept}
            keyOf={({ recipient, symbol }) => `${recipient} ${symbol}`}
          />
        </Disclosure>
      )}
    </Card>
  )
}

const countOf = (addresses: number) =>
  addresses === 1 ? 'at one address' : `at ${addresses} addresses`

/** Wei as gwei with two digits, cut off: `1.25`. */
function gweiOf(wei: string): string {
  const padded = wei.padStart(GWEI_DECIMALS + 1, '0')
  return `${padded.slice(0, -GWEI_DECIMALS)}.${padded.slice(-GWEI_DECIMALS).slice(0, 2)}`
}

/** The list that the machine without a network signs. */
function ListButton({ chain: { chain_id: id, chain, treasury } }: { chain: Chain }) {
  const { isBusy, attempt } = useAttempt(async () => {
    const list = await call(sweepsContract.listSweep, { query: { chain_id: String(id) } })
    saveFile(`sweep-${id}.json`, `${JSON.stringify(list, null, 2)}\n`, 'application/json')
  }, 'The server does not answer. Try it again.')
  if (treasury === null) return null
  return (
    <SmallButton
      isBusy={isBusy}
      aria-label={`Download the list: ${networkName({ chain })}`}
      onClick={attempt}
    >
      <Download size={16} />
      Download the list
    </SmallButton>
  )
}

/** An amount of a coin or token, with every digit of it in a tooltip. */
export const amountColumn: Column<{ amount: string; symbol: string }> = {
  header: 'Amount',
  isNumber: true,
  cell: ({ amount, symbol }) => (
    <span title={`${amount} ${symbol}`}>
      {formatCoins(amount)} <span className="text-quiet">{symbol}</span>
    </span>
  ),
}

const balanceColumns: readonly Column<Chain['balances'][number]>[] = [
  { header: 'Address', isTitle: true, cell: ({ address }) => <AddressText value={address} /> },
  amountColumn,
  {
    header: 'Worth',
    isNumber: true,
    cell: ({ amount_fiat: usd }) => (usd === null ? '–' : formatUsd(usd)),
  },
  {
    header: 'At this fee',
    cell: ({ pays_off: isWorth }) =>
      isWorth ? <Chip tone="success">Worth it</Chip> : <Chip tone="neutral">Costs too much</Chip>,
  },
]

const sweptColumns: readonly Column<Chain['swept'][number]>[] = [
  { header: 'To', isTitle: true, cell: ({ recipient }) => <AddressText value={recipient} /> },
  {
    header: 'Owner',
    cell: ({ is_treasury: isTreasury }) =>
      isTreasury ? 'your treasury' : <Chip tone="warning">Not your treasury</Chip>,
  },
  { header: 'Transfers', isNumber: true, cell: ({ count }) => count },
  amountColumn,
]
