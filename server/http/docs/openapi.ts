import * as z from 'zod/mini'

import { contract } from '#contract/contract.ts'
import { API_BASE, type Endpoint, type Schema } from '#contract/endpoint.ts'
import { ErrorBody, reasonsOf, refusals } from '#contract/error-body.ts'
import { WaitsForApproval } from '#contract/operator/approvals.ts'
import * as shapes from '#contract/shapes.ts'
import type { Route } from '#server/http/routing/implement.ts'
import { mayBeLeftOut } from '#server/http/routing/read-input.ts'
import { successStatus, WAITS_STATUS } from '#server/http/routing/routes.ts'

export type Json = { [key: string]: unknown }

const { User, SessionTokens, PaymentToken, Project, Stage, Transaction, Prices, Banner } = shapes
const named = { User, SessionTokens, PaymentToken, Project, Stage, Transaction, Prices, Banner }

export const groupTitles: Record<keyof typeof contract, { title: string; description: string }> = {
  auth: {
    title: 'Accounts and login',
    description: 'Registering, logging in, passwords, and login with a second factor.',
  },
  users: {
    title: 'The user',
    description: 'What belongs to the calling user and to nobody else.',
  },
  sale: { title: 'The sale', description: 'The project, its stages, and what a token costs.' },
  transactions: {
    title: 'Purchases',
    description: 'Making a purchase and following its progress.',
  },
  refunds: {
    title: 'Refunds',
    description: 'What is owed back to the user, and claiming it to an address.',
  },
  releases: {
    title: 'Releases',
    description: 'When the user’s tokens are released, and how many at a time.',
  },
  wallets: {
    title: 'Receiving wallet',
    description: 'Where the user wants the tokens delivered, if the sale says how it delivers.',
  },
  proof: {
    title: 'Proof',
    description: 'The snapshots of who owns how many tokens, and proving that one is in them.',
  },
  deliveries: {
    title: 'Deliveries',
    description: 'How bought tokens get to their owners’ wallets.',
  },
  sandbox: {
    title: 'Sandbox',
    description: 'Simulated payments and blocks; only present where payments are not real.',
  },
  operator: { title: 'Operators', description: 'What the people who run the sale may see and do.' },
  refundClaims: {
    title: 'Operators and refund claims',
    description: 'What buyers claim back and to which address: approving and rejecting claims.',
  },
  operatorWallets: {
    title: 'Operators and receiving wallets',
    description: 'Where the tokens of a buyer go, and changing that after the owners were frozen.',
  },
  refundBatches: {
    title: 'Operators and refund batches',
    description: 'Approved claims that are sent together, their files, and what became of them.',
  },
  foreignTransfers: {
    title: 'Tokens that the sale does not accept',
    description: 'Transfers of such tokens: recording them as a debt, or dismissing them.',
  },
  snapshots: {
    title: 'Operators and snapshots',
    description: 'Closing the books: who owns how many tokens, and who has no wallet yet.',
  },
  distributions: {
    title: 'Operators and handing out tokens',
    description: 'Files for the tools that hand tokens out, their contracts, and withdrawing them.',
  },
  people: {
    title: 'Operators and the people who buy',
    description: 'What operators see of an account, and how they help its owner.',
  },
  signIn: {
    title: 'Operators’ sign-in',
    description: 'Signing in to the console, and accepting an invitation to it.',
  },
  operatorAccount: {
    title: 'Operators’ own accounts',
    description: 'Who is signed in, their passkeys, authenticator app, sessions and history.',
  },
  team: {
    title: 'The team',
    description: 'Who runs the sale: inviting, roles, removing and resetting lost factors.',
  },
  saleFiles: {
    title: 'Sale files',
    description: 'Which sale file is applied, and applying another one while the server runs.',
  },
  connections: {
    title: 'Operators’ connections',
    description: 'Webhooks to other software, and the keys that it calls with.',
  },
  approvals: {
    title: 'Approvals',
    description: 'Actions that wait for a second person, and their outcome.',
  },
  audit: {
    title: 'The audit log',
    description: 'The log of what operators do, which reveals tampering.',
  },
  console: {
    title: 'Overview and inbox',
    description: 'How the sale is going, and what is waiting for a person.',
  },
  sweeps: {
    title: 'Sweeping',
    description:
      'Moving what lies at the addresses of purchases on EVM chains to a treasury, by ' +
      'transactions that are signed elsewhere.',
  },
  exports: { title: 'Exports', description: 'Everything of one kind, as CSV or JSON.' },
  webhooks: { title: 'Payment gateways', description: 'Calls that payment gateways make.' },
}

/** The OpenAPI 3.1 document of `routes`, made from the schemas that validate their calls. */
export function buildOpenApi(routes: readonly Route[], title: string): Json {
  const collector = createSchemaCollector()
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const operations = (paths[route.endpoint.path] ??= {})
    operations[route.endpoint.method.toLowerCase()] = describeOperation(route, collector)
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    servers: [{ url: API_BASE }],
    tags: Object.entries(groupTitles).map(([name, { description }]) => ({ name, description })),
    paths,
    components: {
      schemas: collector.components,
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer' },
        operatorToken: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

function describeOperation({ name, endpoint }: Route, collector: SchemaCollector): Json {
  return {
    operationId: name,
    tags: Object.entries(contract).flatMap(([group, calls]) => (name in calls ? group : [])),
    summary: endpoint.summary,
    ...describeAccess(endpoint),
    parameters: [
      ...describeParameters(endpoint.params, 'path', collector),
      ...describeParameters(endpoint.query, 'query', collector),
      ...describeParameters(endpoint.headers, 'header', collector),
    ],
    ...(endpoint.body && {
      requestBody: {
        required: !mayBeLeftOut(endpoint.body),
        content: jsonOf(collector.convert(endpoint.body, 'input')),
      },
    }),
    responses: {
      [successStatus(endpoint)]: describeSuccess(endpoint, collector),
      ...(endpoint.mayWait && {
        [WAITS_STATUS]: {
          description: 'It waits for a second person',
          content: jsonOf(collector.convert(WaitsForApproval, 'output')),
        },
      }),
      ...describeErrors(endpoint, collector),
    },
  }
}

function describeAccess({ access }: Endpoint): Json {
  if (access === 'open') return { security: [] }
  if (access === 'operator') return { security: [{ operatorToken: [] }] }
  const withToken = { accessToken: [] }
  return { security: access === 'optional' ? [{}, withToken] : [withToken] }
}

function describeParameters(
  schema: Schema | undefined,
  place: 'path' | 'query' | 'header',
  collector: SchemaCollector,
): Json[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = collector.convert(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, parameter]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: parameter,
  }))
}

function describeSuccess(endpoint: Endpoint, collector: SchemaCollector): Json {
  if (endpoint.events) {
    const schema = collector.convert(endpoint.events, 'output')
    return { description: 'The events, one by one', content: { 'text/event-stream': { schema } } }
  }
  if (endpoint.rows) {
    const row = collector.convert(endpoint.rows, 'output')
    const content = {
      'text/csv': { schema: { type: 'string' } },
      ...jsonOf({ type: 'array', items: row }),
    }
    return { description: 'The rows, as CSV or as JSON', content }
  }
  if (endpoint.file) {
    const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
    return { description: 'The file, with a name and a type of its own', content }
  }
  if (!endpoint.result) return { description: 'Done' }
  return { description: 'Done', content: jsonOf(collector.convert(endpoint.result, 'output')) }
}

/** One response for each status, listing its reasons. */
function describeErrors(endpoint: Endpoint, collector: SchemaCollector): Record<string, Json> {
  const byStatus = Map.groupBy(reasonsOf(endpoint), (reason) => refusals[reason].status)
  const schema = collector.convert(ErrorBody, 'output', 'Error')
  return Object.fromEntries(
    [...byStatus].map(([status, theirs]) => [
      String(status),
      {
        description: theirs
          .map((reason) => `\`${reason}\`: ${refusals[reason].message}.`)
          .join('\n\n'),
        content: jsonOf(schema),
      },
    ]),
  )
}

const jsonOf = (schema: Json): Json => ({ 'application/json': { schema } })

type SchemaCollector = ReturnType<typeof createSchemaCollector>

/** Converts schemas to JSON Schema. Those with a name are collected once, as components. */
function createSchemaCollector() {
  const components: Record<string, Json> = {}
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })

  return {
    components,
    convert(schema: Schema, io: 'input' | 'output', id?: string): Json {
      if (id !== undefined && !registry.has(schema)) registry.add(schema, { id })
      const converted = z.toJSONSchema(schema, {
        io,
        metadata: registry,
        unrepresentable: 'any',
        // This server leaves no field of a reply out.
        override: ({ jsonSchema }) => {
          if (io === 'output') delete jsonSchema.default
        },
      })
      const { $schema: _, $defs = {}, ...own } = converted as Json & { $defs?: Json }
      for (const [name, definition] of Object.entries($defs)) {
        components[name] ??= withoutId(definition as Json)
      }
      const ownId = own['id']
      if (typeof ownId !== 'string') return pointToComponents(own)
      components[ownId] ??= withoutId(own)
      return { $ref: `#/components/schemas/${ownId}` }
    },
  }
}

function withoutId(schema: Json): Json {
  const { id: _, ...rest } = schema
  return pointToComponents(rest)
}

/** `#/$defs/User` is `#/components/schemas/User` in the whole document. */
function pointToComponents(schema: Json): Json {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')
  return JSON.parse(text) as Json
}
