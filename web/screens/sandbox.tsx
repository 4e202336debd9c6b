import { useProject } from '#web/features/project/queries.ts'
import { ChainControls } from '#web/features/sandbox/chain-controls.tsx'
import { Mailbox } from '#web/features/sandbox/mailbox.tsx'
import { Wallet } from '#web/features/sandbox/wallet.tsx'
import { searches, useSearch } from '#web/lib/paths.ts'
import { useSandboxTexts } from '#web/messages/use-sandbox-texts.ts'
import { useUser } from '#web/session/session-context.tsx'
import { EmptyState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'

/** The payer's wallet, the chain and the mailbox, for trying the product out with no real money. */
export function SandboxScreen() {
  const sandbox = useSandboxTexts()
  const project = useProject()
  const { address = '', amount = '' } = useSearch(searches.sandbox)
  const user = useUser()
  if (project === undefined) return <Skeleton className="h-96" />
  if (!project.is_sandbox) {
    return <EmptyState title={sandbox.notSandbox}>{sandbox.notSandboxText}</EmptyState>
  }
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-1">
        <PageHeading>{sandbox.heading}</PageHeading>
        <p className="max-w-prose text-quiet">{sandbox.intro}</p>
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <Wallet key={`${address} ${amount}`} addressAtFirst={address} amountAtFirst={amount} />
          <ChainControls />
        </div>
        <Mailbox toAtFirst={user?.email ?? ''} />
      </div>
    </div>
  )
}
