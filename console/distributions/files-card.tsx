import { API_BASE } from '#contract/endpoint.ts'
import type { DistributionRecord } from '#contract/operator/distributions.ts'
import { type Column, Table } from '#console/kit/table.tsx'
import { useMay } from '#console/session/self.ts'
import { formatCoins } from '#web/lib/format/format.ts'
import { PlainLink } from '#web/ui/actions.tsx'
import { Card } from '#web/ui/layout/card.tsx'

type File = DistributionRecord['files'][number]

/**
 * The files with their hashes. Plain links: the browser downloads them, however large. The server
 * gives those of a distribution that has ended to nobody.
 */
export function FilesCard({ distribution }: { distribution: DistributionRecord }) {
  const mayManage = useMay('delivery.manage')
  const hasEnded = distribution.ended_date !== null
  const hrefOf = (name: string) =>
    `${API_BASE}/operator/distributions/${distribution.id}/files/${name}`
  const columns = [nameColumn(mayManage && !hasEnded ? hrefOf : null), ...otherColumns]
  return (
    <Card title="Files">
      <p className="text-14 text-quiet">
        {hasEnded
          ? 'It has ended: its files cannot be downloaded any more, since they would hand out ' +
            'tokens a second time. Delete the copies that you have.'
          : 'Use them exactly as downloaded. A spreadsheet that opens and saves one changes its ' +
            'numbers. Every download is recorded in the audit log.'}
      </p>
      <Table label="Files" columns={columns} rows={distribution.files} keyOf={({ name }) => name} />
      {mayManage && (
        <PlainLink
          href={hrefOf(distribution.manifest_file)}
          download={distribution.manifest_file}
          className="self-start text-14"
        >
          Manifest of all of them
        </PlainLink>
      )}
    </Card>
  )
}

const nameColumn = (hrefOf: ((name: string) => string) | null): Column<File> => ({
  header: 'File',
  isTitle: true,
  cell: ({ name }) =>
    hrefOf === null ? (
      name
    ) : (
      <PlainLink href={hrefOf(name)} download={name}>
        {name}
      </PlainLink>
    ),
})

const otherColumns: readonly Column<File>[] = [
  { header: 'Wallets', isNumber: true, cell: ({ rows }) => (rows === 0 ? '–' : formatCoins(rows)) },
  {
    header: 'Tokens',
    isNumber: true,
    cell: ({ rows, amount }) =>
      rows === 0 ? '–' : <span title={amount}>{formatCoins(amount)}</span>,
  },
  {
    header: 'SHA-256',
    cell: ({ sha256 }) => <span className="font-mono text-12 break-all">{sha256}</span>,
  },
]
