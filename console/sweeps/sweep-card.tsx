import { useState } from 'react'
import { type Sweep, sweepsContract } from '#contract/operator/sweeps.ts'
import { networkName } from '#domain/chains/chain.ts'
import { useWaiting } from '#console/approvals/waiting.tsx'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { CopiedHash, DateLine, StateChip, type StateLook } from '#console/kit/values.tsx'
import { type Column, Table } from '#console/kit/table.tsx'
import { Transaction } from '#console/purchases/amounts.tsx'
import { formatCoins } from '#web/lib/format/format.ts'
import { Button } from '#web/ui/actions.tsx'
import { Card, LabelledLine } from '#web/ui/layout/card.tsx'

const states: Record<Sweep['state'], StateLook> = {
  kept: ['neutral', 'Not sent'],
  open: ['info', 'In flight'],
  closed: ['success', 'Ended'],
}

const waits: StateLook = ['warning', 'Waits for approval']

export function SweepCard({ sweep }: { sweep: Sweep }) {
  const { state, counts, totals, faults } = sweep
  const isAsked = useWaiting({ acts: ['sendSweep'], about: sweep.file_hash }).length > 0
  const look = state === 'kept' && isAsked ? waits : states[state]
  const [isStopping, setStopping] = useState(false)
  const isAllSent = counts.waiting === 0
  const all = Object.values(counts).reduce((sum, each) => sum + each, 0)
  return (
    <Card title={`Sweep on ${networkName(sweep)}`} aside={<StateChip look={look} />}>
      <dl className="flex flex-col divide-y divide-hairline">
        <DateLine label="Submitted" date={sweep.kept_date} />
        <LabelledLine label="Transactions confirmed">{`${counts.confirmed} of ${all}`}</LabelledLine>
        {counts.failed > 0 && <LabelledLine label="Failed">{counts.failed}</LabelledLine>}
        {counts.stopped > 0 && <LabelledLine label="Stopped">{counts.stopped}</LabelledLine>}
        {totals.map(({ symbol, amount, confirmed }) => (
          <LabelledLine key={symbol} label={`${symbol} in the treasury`}>
            <span title={`${confirmed} of ${amount}`}>
              {formatCoins(confirmed)} of {formatCoins(amount)}
            </span>
          </LabelledLine>
        ))}
      </dl>
      <CopiedHash label="SHA-256 of the signed file" value={sweep.file_hash} />
      {faults.length > 0 && (
        <Table label="Faults" columns={columns} rows={faults} keyOf={({ hash }) => hash} />
      )}
      {state !== 'closed' && (
        <Button variant="danger" className="self-start" onClick={() => setStopping(true)}>
          Stop the sweep
        </Button>
      )}
      {isStopping && (
        <ActDialog
          title="Stop this sweep?"
          confirm="Stop it"
          isDangerous
          done="The sweep is stopped."
          endpoint={sweepsContract.stopSweep}
          input={() => ({ params: { id: sweep.id } })}
          onClose={() => setStopping(false)}
        >
          <p>
            {!isAllSent &&
              'What was sent continues. The rest stays at its addresses, and can be swept with a ' +
                'new list. '}
            If everything was sent, this gives up what is in no block, though it may still be mined.
            Do that only if nothing moves because the gas price was too low.
          </p>
        </ActDialog>
      )}
    </Card>
  )
}

const kinds: Record<Sweep['faults'][number]['kind'], string> = {
  gas: 'Gas money',
  coins: 'Coins',
  tokens: 'Tokens',
}

const columns: readonly Column<Sweep['faults'][number]>[] = [
  { header: 'What to do', isTitle: true, cell: ({ fault }) => fault },
  { header: 'Kind', cell: ({ kind }) => <span className="whitespace-nowrap">{kinds[kind]}</span> },
  { header: 'Transaction', cell: ({ hash }) => <Transaction hash={hash} url={null} /> },
]
