import { Suspense, useState } from 'react'
import { FlaskConical, TriangleAlert, Wallet } from 'lucide-react'
import type { Transaction } from '#contract/shapes.ts'
import { networkName } from '#domain/chains/chain.ts'
import { paymentSituation, walletLink } from '#web/features/purchase/payment-state.ts'
import { TokenIcon } from '#web/features/purchase/picker/token-icon.tsx'
import { useIsTimeUp } from '#web/features/purchase/use-is-time-up.ts'
import { useAnnouncedWallets } from '#web/lib/wallet/announced-wallets.ts'
import { walletOrder } from '#web/features/purchase/wallet/wallet-order.ts'
import { useWalletAttempt } from '#web/features/purchase/wallet/wallet-payments.ts'
import { formatExact, formatUsd } from '#web/lib/format/format.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { paths } from '#web/lib/paths.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { buttonStyle, LinkButton } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { unbrokenSize } from '#web/ui/style/unbroken-size.ts'
import { dueUsd } from './payment-figures.ts'

/** If its code cannot be loaded, the address and the QR code are still there. */
const WalletPayment = lazyComponent(
  () =>
    import('#web/features/purchase/wallet/wallet-payment.tsx').catch(() => ({
      WalletPayment: () => null,
    })),
  'WalletPayment',
)

export const preloadWalletPayment = WalletPayment.preload

interface PaymentInstructionsProps {
  transaction: Transaction
  isSandbox: boolean
}

/** How much of what, on which network; then the address, as text and as a QR code. */
export function PaymentInstructions({ transaction, isSandbox }: PaymentInstructionsProps) {
  const messages = useTransactionTexts()
  const { payment_token: token, payment_address: address, payment_amount: due } = transaction
  if (token === null || address === null || due === null) return null
  const symbol = token.short_name
  const network = networkName(token)
  const isRest = paymentSituation(transaction) === 'rest'
  const link = walletLink(transaction)
  const usd = dueUsd(transaction)
  return (
    <div className="grid gap-x-8 gap-y-4 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="flex min-w-0 flex-col gap-4">
        <CopyField
          label={isRest ? messages.restAmount : messages.amount}
          value={due}
          aside={
            usd !== null && <span className="tabular">{messages.inDollars(formatUsd(usd))}</span>
          }
        >
          <AmountDue amount={formatExact(due)} symbol={symbol} />
        </CopyField>
        <dl className="flex flex-col gap-1">
          <dt className="text-14 text-quiet">{messages.token}</dt>
          <dd className="flex flex-wrap items-center gap-x-2">
            <TokenIcon symbol={symbol} />
            <span className="font-medium">{`${token.name} (${symbol})`}</span>
            <span className="text-quiet">{messages.onNetwork(network)}</span>
          </dd>
        </dl>
        <p className="flex items-start gap-2 rounded-control border border-transparent bg-warning/14 p-3 text-14">
          <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warning" />
          <span>
            {messages.warning(symbol, network)}
            {token.test_network !== null && ` ${messages.testNetwork(token.test_network)}`}
          </span>
        </p>
        {!isSandbox && (
          <Suspense fallback={null}>
            <WalletPayment transaction={transaction} />
          </Suspense>
        )}
        <div className="flex flex-col gap-2 empty:hidden sm:hidden">
          <WalletActions transaction={transaction} link={link} isSandbox={isSandbox} />
        </div>
        <div className="flex flex-col gap-1">
          <CopyField label={messages.address} value={address}>
            <AddressText value={address} />
          </CopyField>
          <p className="text-14 text-quiet">{messages.addressHint}</p>
        </div>
      </div>
      <div className="flex flex-col items-center gap-3">
        <PaymentQr link={link} address={address} amount={`${formatExact(due)} ${symbol}`} />
        <div className="hidden w-full flex-col gap-2 sm:flex">
          <WalletActions transaction={transaction} link={link} isSandbox={isSandbox} />
        </div>
      </div>
    </div>
  )
}

function AmountDue({ amount, symbol }: { amount: string; symbol: string }) {
  // Beside its unit, but below the usual size only for its own digits: the unit then follows them.
  const withUnit = unbrokenSize(`${amount} ${symbol}`, 'var(--text-25)')
  return (
    <span className="tabular @container flex flex-wrap items-baseline gap-x-2">
      <span
        className="font-display text-25 font-strong whitespace-nowrap"
        style={{ fontSize: `max(${withUnit}, ${unbrokenSize(amount, 'var(--text-16)')})` }}
      >
        {amount}
      </span>
      <span className="text-14 font-medium text-quiet">{symbol}</span>
    </span>
  )
}

interface WalletActionsProps {
  transaction: Transaction
  link: string | null
  isSandbox: boolean
}

/** In a sandbox no real wallet can pay, so a simulated one takes its place. */
function WalletActions({ transaction, link, isSandbox }: WalletActionsProps) {
  const messages = useTransactionTexts()
  if (useIsTimeUp(transaction)) return null
  if (isSandbox) {
    const query = new URLSearchParams({
      address: transaction.payment_address ?? '',
      amount: transaction.payment_amount ?? '',
    })
    return (
      <LinkButton to={`${paths.sandbox}?${query}`} target="_blank" isFullWidth>
        <FlaskConical size={16} />
        {messages.payInSandbox}
      </LinkButton>
    )
  }
  return link !== null && <OpenInWallet transaction={transaction} link={link} />
}

/**
 * For a wallet elsewhere on the device; secondary to one in this browser, and hidden once that has
 * paid.
 */
function OpenInWallet({ transaction, link }: { transaction: Transaction; link: string }) {
  const messages = useTransactionTexts()
  const attempt = useWalletAttempt(transaction)
  const hasWallet = useAnnouncedWallets().length > 0 && walletOrder(transaction) !== null
  if (attempt?.stage === 'sent') return null
  return (
    <a href={link} className={buttonStyle(hasWallet ? 'secondary' : 'primary', 'medium', true)}>
      <Wallet size={16} />
      {messages.openInWallet}
    </a>
  )
}

const QR_SIZE = 160

interface PaymentQrProps {
  link: string | null
  address: string
  amount: string
}

/** Holds the payment link; for wallets that cannot read one, the bare address. */
function PaymentQr({ link, address, amount }: PaymentQrProps) {
  const { qr } = useTransactionTexts()
  const [wanted, setWanted] = useState<'link' | 'address'>('link')
  const shown = link === null ? 'address' : wanted
  return (
    <div className="flex flex-col items-center gap-2">
      <QrCode
        value={shown === 'link' && link !== null ? link : address}
        size={QR_SIZE}
        title={shown === 'link' ? qr.linkTitle(amount) : qr.addressTitle}
      />
      {link !== null && (
        <Segmented
          label={qr.label}
          value={shown}
          onChange={setWanted}
          options={[
            { value: 'link', label: qr.link },
            { value: 'address', label: qr.address },
          ]}
        />
      )}
      <p className="max-w-56 text-center text-12 text-quiet">
        {shown === 'link' ? qr.linkHint : qr.addressHint}
      </p>
    </div>
  )
}
