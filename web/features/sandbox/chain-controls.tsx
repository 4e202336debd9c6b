import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { sandboxContract } from '#contract/sandbox.ts'
import { call } from '#web/lib/api/call.ts'
import { useSandboxTexts } from '#web/messages/use-sandbox-texts.ts'
import { Button } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { AmountField } from '#web/ui/fields/amount-field.tsx'
import { Card } from '#web/ui/layout/card.tsx'

/** Specification of the sandbox's calls: 1 to 100 blocks at a time. */
const DEPTH_MOST = 100

/** Plays the chain: a block ahead of time, or some blocks taken back. */
export function ChainControls() {
  const { chain } = useSandboxTexts()
  const [depth, setDepth] = useState('1')
  const mine = useMutation({
    mutationFn: () => call(sandboxContract.mineBlocks, { body: { count: 1 } }),
    onSuccess: ({ height }) => toast.success(chain.mined(height)),
    onError: (error) => toast.failed(error, chain.failed),
  })
  const reorganise = useMutation({
    mutationFn: (blocks: number) => call(sandboxContract.reorganise, { body: { depth: blocks } }),
    onSuccess: ({ height }) => toast.success(chain.reorganised(height)),
    onError: (error) => toast.failed(error, chain.failed),
  })
  const blocks = Number(depth)
  const isDepth = blocks >= 1 && blocks <= DEPTH_MOST
  return (
    <Card title={chain.title}>
      <p className="text-quiet">{chain.text}</p>
      <div>
        <Button variant="secondary" isBusy={mine.isPending} onClick={() => mine.mutate()}>
          {chain.mine}
        </Button>
      </div>
      <form
        noValidate
        className="flex items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (isDepth) reorganise.mutate(blocks)
        }}
      >
        <div className="min-w-0 flex-1 sm:max-w-40">
          <AmountField
            label={chain.depth}
            decimals={0}
            value={depth}
            keepsErrorLine={false}
            onChange={(event) => setDepth(event.currentTarget.value)}
            error={isDepth ? undefined : chain.depthInvalid}
          />
        </div>
        <Button type="submit" variant="secondary" isBusy={reorganise.isPending} className="mt-6.25">
          {chain.reorganise}
        </Button>
      </form>
    </Card>
  )
}
