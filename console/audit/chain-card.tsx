import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { auditContract, type LogCheck } from '#contract/operator/audit.ts'
import { CopiedHash, Time } from '#console/kit/values.tsx'
import { Loaded } from '#console/kit/loaded.tsx'
import { call, isRefusal, messageOf } from '#web/lib/api/call.ts'
import { callQuery } from '#web/lib/api/call-query.ts'
import { formatNumber } from '#web/lib/format/format.ts'
import { Button } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Card } from '#web/ui/layout/card.tsx'

/** The head of the log, and whether the log is unchanged. */
export function ChainCard() {
  const client = useQueryClient()
  const [known, setKnown] = useState('')
  const query = useQuery(callQuery(['operator', 'audit-head'], auditContract.getAuditHead, {}))
  const verify = useMutation({
    mutationFn: (head: string) =>
      call(auditContract.verifyLog, { body: head === '' ? {} : { head } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['operator'] }),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    // In a mail it may be broken into lines.
    verify.mutate(known.replace(/\s/g, '').toLowerCase())
  }
  const { error } = verify
  const fault = isRefusal(error, 'InvalidInput') ? error.errors[0]?.message : undefined
  return (
    <Card title="The hash chain">
      <p className="max-w-prose text-quiet">
        Each row is hashed together with the one before it, with a key that is not in the database.
        Keep the newest hash somewhere else: whoever has it can tell if rows go missing.
      </p>
      <Loaded query={query} what="The head of the log" skeleton="h-16">
        {({ head }) =>
          head === null ? (
            <p>Nothing has been done yet.</p>
          ) : (
            <CopiedHash
              label={`Hash of row ${formatNumber(head.number)}, the newest`}
              value={head.hash}
              aside={<Time value={head.date} />}
            />
          )
        }
      </Loaded>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 grow basis-72">
          <TextField
            label="A hash that you kept (optional)"
            value={known}
            error={fault}
            keepsErrorLine={false}
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget: { value } }) => setKnown(value)}
          />
        </div>
        <Button type="submit" variant="secondary" isBusy={verify.isPending}>
          Verify
        </Button>
      </form>
      <div role="status">
        {error !== null && fault === undefined && (
          <Banner tone="error">
            {messageOf(error, 'The server does not answer. Nothing was verified.')}
          </Banner>
        )}
        {verify.data !== undefined && <Found check={verify.data} />}
      </div>
    </Card>
  )
}

function Found({ check: { verified, fault } }: { check: LogCheck }) {
  const rows = `${formatNumber(verified)} ${verified === 1 ? 'row' : 'rows'}`
  if (fault === null)
    return <Banner tone="success">{rows} are unchanged since they were written.</Banner>
  return (
    <Banner tone="error">
      {fault.message}. {rows} before it are unchanged. Keep a copy of the database, and find out who
      has its password.
    </Banner>
  )
}
