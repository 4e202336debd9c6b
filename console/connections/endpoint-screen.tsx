import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { WebhookEndpoint } from '#contract/operator/connections.ts'
import { webhookEventTexts } from '#domain/operators/webhook-events.ts'
import { BackLink } from '#console/kit/back-link.tsx'
import { Loaded } from '#console/kit/loaded.tsx'
import { Time } from '#console/kit/values.tsx'
import { TextLink } from '#web/ui/actions.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { DeliveriesCard } from './deliveries-card.tsx'
import { EndpointActs } from './endpoint-acts.tsx'
import { EndpointState } from './state-chip.tsx'
import { webhooksQuery } from './endpoints-card.tsx'

/** One endpoint: its state, what can be done with it, and what was sent to it. */
export function EndpointScreen() {
  const { id = '' } = useParams()
  const query = useQuery(webhooksQuery)
  return (
    <Loaded query={query} what="The endpoint" skeleton="h-80">
      {({ data }) => {
        const endpoint = data.find((each) => each.id === id)
        if (endpoint !== undefined) return <Shown endpoint={endpoint} />
        return (
          <>
            <PageHeading>No such endpoint</PageHeading>
            <EmptyState
              title="It has ended, or never existed"
              action={<TextLink to="/connections">All connections</TextLink>}
            />
          </>
        )
      }}
    </Loaded>
  )
}

function Shown({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { url, description } = endpoint
  return (
    <>
      <BackLink to="/connections">Connections</BackLink>
      <PageHeading aside={<EndpointState state={endpoint.state} />}>
        {description === '' ? new URL(url).host : description}
      </PageHeading>
      <Card title="Endpoint" aside={<EndpointActs endpoint={endpoint} />}>
        <Troubles endpoint={endpoint} />
        <Facts endpoint={endpoint} />
      </Card>
      <DeliveriesCard endpoint={endpoint} />
    </>
  )
}

/** What is wrong, and what to do about it. */
function Troubles({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { state, state_date: since, disabled_by: by, waiting } = endpoint
  if (state === 'working' || since === null) return null
  const text = {
    failing:
      'An event was given up after three days, and none has been delivered since. See below ' +
      'what the receiver answered; once it works, send the given-up events again.',
    receiver:
      'The receiver answered that it is gone (410), so nothing is sent to it until it is ' +
      'enabled again.',
    operator:
      'Nothing is sent to it until it is enabled again, and events that happen meanwhile are ' +
      'not kept.',
  }[state === 'failing' ? state : (by ?? 'operator')]
  return (
    <p role="status" className="max-w-prose">
      Since <Time value={since} />: {text}
      {state === 'disabled' && waiting > 0 && ' Events that were waiting are sent then.'}
    </p>
  )
}

function Facts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { last_delivered_date: last, former_secret_until_date: former } = endpoint
  const facts = [
    { name: 'Address', value: <span className="wrap-anywhere">{endpoint.url}</span> },
    { name: 'Waiting', value: <span className="tabular">{endpoint.waiting}</span> },
    { name: 'Last delivered', value: <Time value={last} none="Never" /> },
    { name: 'Added', value: <Time value={endpoint.created_date} /> },
    ...(former === null
      ? []
      : [{ name: 'The old secret also signs until', value: <Time value={former} /> }]),
    { name: 'Events', value: <Events of={endpoint.events} /> },
  ]
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[max-content_1fr]">
      {facts.map(({ name, value }) => (
        <div key={name} className="contents">
          <dt className="text-14 text-quiet max-sm:-mb-3">{name}</dt>
          <dd className="min-w-0 text-14">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Events({ of: events }: { of: WebhookEndpoint['events'] }) {
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1">
      {events.map((each) => (
        <li key={each} title={webhookEventTexts[each]}>
          <code>{each}</code>
        </li>
      ))}
    </ul>
  )
}
