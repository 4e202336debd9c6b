import { useState, type ReactNode } from 'react'
import { Copy } from 'lucide-react'
import { AddressText } from './address-text.tsx'
import { AmountField } from './fields/amount-field.tsx'
import { Banner } from './feedback/banner.tsx'
import { Button } from './actions/button.tsx'
import { Card } from './layout/card.tsx'
import { Checkbox } from './fields/checkbox.tsx'
import { Checklist } from './fields/checklist.tsx'
import { Chip } from './feedback/chip.tsx'
import { CopyField } from './fields/copy-field.tsx'
import { Countdown } from './feedback/countdown.tsx'
import { Dialog } from './layout/dialog.tsx'
import { Disclosure } from './layout/disclosure.tsx'
import { EmptyState } from './feedback/empty-state.tsx'
import { ErrorState } from './feedback/error-state.tsx'
import { Figure } from './layout/figure.tsx'
import { Foundations } from './gallery-foundations.tsx'
import { IconButton } from './actions/icon-button.tsx'
import { InfoTip } from './feedback/info-tip.tsx'
import { LinkButton } from './actions/link-button.tsx'
import { LabelledLine, List, ListRow } from './layout/list.tsx'
import { PageHeading } from './layout/page-heading.tsx'
import { Pagination } from './layout/pagination.tsx'
import { PasswordField } from './fields/password-field.tsx'
import { ProgressSteps } from './feedback/progress-steps.tsx'
import { QrCode } from './qr-code.tsx'
import { Segmented } from './fields/segmented.tsx'
import { Select } from './fields/select.tsx'
import { Skeleton, SkeletonText } from './feedback/skeleton.tsx'
import { Spinner } from './actions/spinner.tsx'
import { TextField } from './fields/text-field.tsx'
import { ExternalLink, PlainLink, TextLink } from './actions/text-link.tsx'
import { toast } from './feedback/toast-store.ts'

const ADDRESS = 'sandbox-0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063'

/**
 * Every component of the kit in its states. Only developers come here; its texts are no messages.
 */
export function Gallery() {
  return (
    <div className="flex flex-col gap-6">
      <PageHeading>Gallery</PageHeading>
      <div className="grid items-start gap-6 md:grid-cols-2">
        <Foundations />
        <Buttons />
        <Links />
        <Fields />
        <Figures />
        <States />
        <Overlays />
        <Payment />
      </div>
    </div>
  )
}

function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>
}

function Buttons() {
  return (
    <Card title="Buttons and chips">
      <Row>
        <Button>Primary</Button>
        <Button variant="secondary">Secondary</Button>
        <Button variant="quiet">Quiet</Button>
        <Button variant="danger">Danger</Button>
      </Row>
      <Row>
        <Button isBusy>Busy</Button>
        <Button disabled>Disabled</Button>
        <Button size="small">Small</Button>
        <IconButton label="Copy" icon={<Copy size={20} />} />
        <Spinner label="Loading" />
      </Row>
      <Row>
        <Chip tone="success">Completed</Chip>
        <Chip tone="error">Failed</Chip>
        <Chip tone="warning">Pending</Chip>
        <Chip tone="info">Processing</Chip>
        <Chip tone="neutral">Referral</Chip>
      </Row>
    </Card>
  )
}

function Links() {
  return (
    <Card title="Links">
      <Row>
        <LinkButton to="/buy">Buy tokens</LinkButton>
        <LinkButton to="/info" variant="secondary">
          Secondary
        </LinkButton>
        <LinkButton to="/info" variant="quiet" size="small">
          Quiet, small
        </LinkButton>
      </Row>
      <Row>
        <TextLink to="/info">Inside the application</TextLink>
        <PlainLink href="/api/v1/docs">On this site</PlainLink>
        <ExternalLink href="https://example.com">Another site</ExternalLink>
      </Row>
    </Card>
  )
}

function Fields() {
  const [country, setCountry] = useState('GB')
  const [period, setPeriod] = useState('day')
  const options = [
    { id: 'GB', label: 'United Kingdom', detail: '+44' },
    { id: 'IN', label: 'India', detail: '+91' },
  ]
  return (
    <Card title="Fields">
      <TextField label="Name" placeholder="Ada" hint="A hint" />
      <TextField label="Email" error="Email is invalid" defaultValue="ada@" />
      <PasswordField label="Password" autoComplete="off" />
      <Checklist
        items={[
          { label: '8 to 32 characters', isMet: true },
          { label: 'A letter and a digit', isMet: false },
        ]}
      />
      <AmountField label="Amount" decimals={6} prefix="$" defaultValue="1000" />
      <Select
        label="Country"
        isSearchable
        groups={() => [{ options }]}
        value={country}
        shown={options.find(({ id }) => id === country)?.label}
        onChange={setCountry}
      />
      <Checkbox label="I agree" error="Must accept terms and conditions" />
      <Segmented
        label="Period"
        options={[
          { value: 'day', label: 'Day' },
          { value: 'week', label: 'Week' },
        ]}
        value={period}
        onChange={setPeriod}
      />
    </Card>
  )
}

function Figures() {
  return (
    <Card title="Figures">
      <Figure label="Token Balance" value="1.25M" unit="HUH" exact="1,250,000.123" />
      <Figure size="medium" value="$1,234.50" />
      <Countdown until="2030-01-01T00:00:00.000Z" label="Stage ends in" />
      <dl>
        <LabelledLine label="Stage Bonus">1,000 HUH</LabelledLine>
        <LabelledLine label="Total Bonus" isStrong>
          3,500 HUH
        </LabelledLine>
      </dl>
      <List label="Rows">
        <ListRow>First</ListRow>
        <ListRow>Second</ListRow>
      </List>
      <Pagination label="Pages" onNext={() => undefined} />
    </Card>
  )
}

function States() {
  return (
    <Card title="States">
      <Skeleton className="h-16" />
      <p>
        <SkeletonText characters={24} />
      </p>
      <EmptyState title="No transactions" action={<LinkButton to="/buy">Buy tokens</LinkButton>}>
        Your purchases will be listed here.
      </EmptyState>
      <ErrorState title="The list could not be loaded" onRetry={() => undefined} />
      <Banner tone="info" onDismiss={() => undefined}>
        Stage 2 opens on Monday.
      </Banner>
      <Banner tone="success" action={<TextLink to="/buy">Buy</TextLink>}>
        The first stage is open.
      </Banner>
      <Banner tone="warning">Beware of copies of this site.</Banner>
      <Banner tone="error">The last payment failed.</Banner>
    </Card>
  )
}

function Overlays() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title="Overlays">
      <Row>
        <Button variant="secondary" onClick={() => setOpen(true)}>
          Open dialog
        </Button>
        <Button variant="secondary" onClick={() => toast.success('Successfully copied text')}>
          Toast
        </Button>
        <Button variant="secondary" onClick={() => toast.error('Internal server error')}>
          Error toast
        </Button>
        <InfoTip label="About the bonus">Bonuses add up and are rounded down.</InfoTip>
      </Row>
      <Disclosure title="Eligible Bonuses" aside="3,500 HUH">
        <p className="pb-3 pl-7 text-quiet">Stage Bonus</p>
      </Disclosure>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Transaction">
        <p>Escape, the back button and a press outside close it.</p>
      </Dialog>
    </Card>
  )
}

function Payment() {
  return (
    <Card title="Payment">
      <Row>
        <QrCode value="ethereum:0x8f3C" size={160} title="Payment QR code" />
      </Row>
      <CopyField label="Wallet Address" value={ADDRESS}>
        <AddressText value={ADDRESS} />
      </CopyField>
      <ProgressSteps
        label="Payment"
        steps={[
          { label: 'Payment seen', state: 'done' },
          { label: 'Confirming', state: 'current', detail: '1 of 2 confirmations' },
          { label: 'Tokens credited', state: 'waiting' },
        ]}
      />
      <ProgressSteps
        label="A payment that failed"
        steps={[
          { label: 'Payment seen', state: 'done' },
          { label: 'Confirming', state: 'failed', detail: 'The payment was taken back' },
        ]}
      />
    </Card>
  )
}
