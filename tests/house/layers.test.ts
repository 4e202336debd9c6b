import { expect, test } from 'vitest'

import { lintSeeds } from './lint-seeds.ts'

type Layer = {
  /** A file of the layer, whether or not the tree has one with that name. */
  path: string
  /** The beginning of the linter's sentence about a forbidden import. */
  sentence: string
  forbidden: string[]
  allowed: string[]
}

const layers: Layer[] = [
  {
    path: 'domain/seed.ts',
    sentence: 'domain imports nothing but domain',
    forbidden: ['zod', 'node:crypto', '#contract/a.ts', '#server/services.ts', '../server/a.ts'],
    allowed: ['./money.ts', '#domain/money.ts'],
  },
  {
    path: 'contract/seed.ts',
    sentence: 'contract imports domain and zod',
    forbidden: ['fastify', '#server/services.ts', '#web/lib/call.ts', 'node:fs', '../web/a.ts'],
    allowed: ['./shapes.ts', '#domain/money.ts', 'zod/mini'],
  },
  {
    path: 'server/app.ts',
    sentence: 'server imports neither the web app',
    forbidden: ['#web/main.tsx', '#tests/kit/a.ts', '#tools/a.ts', '../web/a.ts'],
    allowed: ['./http/a.ts', '#server/database/a.ts', '#contract/a.ts', 'fastify', 'node:fs'],
  },
  {
    path: 'server/services.ts',
    sentence: 'services.ts imports',
    forbidden: ['#server/http/a.ts', './database/accounts/users.ts', 'fastify'],
    allowed: [],
  },
  {
    path: 'server/database/accounts/seed.ts',
    sentence: 'server/database imports domain, Kysely',
    forbidden: [
      '#server/use-cases/sale/a.ts',
      '#contract/a.ts',
      'fastify',
      '../../services.ts',
      '#server/database/purchases/a.ts',
    ],
    allowed: [
      './users.ts',
      '#server/database/tables/tables.ts',
      '#domain/money.ts',
      'kysely',
      'pg',
      '@electric-sql/pglite',
      'node:fs',
    ],
  },
  {
    path: 'server/sale-file/seed.ts',
    sentence: 'server/sale-file reads a file',
    forbidden: ['#server/database/a.ts', '#contract/a.ts', '../services.ts'],
    allowed: ['./a.ts', '#domain/sale.ts', 'yaml', 'node:path'],
  },
  {
    path: 'server/payments/evm/seed.ts',
    sentence: 'A rail imports ports, domain',
    forbidden: [
      '#server/database/a.ts',
      '#server/prices/a.ts',
      '#contract/a.ts',
      '../variables.ts',
      '#server/payments/utxo/a.ts',
      '#server/services.ts',
    ],
    allowed: [
      './address.ts',
      '#server/payments/chains/blocks/a.ts',
      '#server/ports/rail.ts',
      '#domain/money.ts',
      'viem',
    ],
  },
  {
    path: 'server/prices/seed.ts',
    sentence: 'A price source imports',
    forbidden: ['#server/database/a.ts', '#server/payments/a.ts', '../payments/a.ts'],
    allowed: ['./median.ts', '#server/ports/price-source.ts', '#domain/money.ts'],
  },
  {
    path: 'server/mail/seed.ts',
    sentence: 'server/mail imports ports, domain',
    forbidden: ['#server/database/a.ts', '#server/payments/a.ts', '#contract/a.ts'],
    allowed: ['./render.ts', '#server/ports/mail.ts', 'nodemailer'],
  },
  {
    path: 'server/use-cases/purchases/seed.ts',
    sentence: 'A use case imports services, ports, database and domain',
    forbidden: [
      '#server/http/a.ts',
      '#contract/a.ts',
      'fastify',
      '#server/mail/a.ts',
      '../../app.ts',
      '#server/use-cases/settlement/a.ts',
    ],
    allowed: [
      './quote-purchase.ts',
      '#server/use-cases/sale/a.ts',
      '#server/database/purchases/a.ts',
      '#server/services.ts',
      '#domain/a.ts',
    ],
  },
  {
    path: 'server/workers/seed.ts',
    sentence: 'A worker imports use cases',
    forbidden: ['#server/database/a.ts', '#server/http/a.ts', '#server/payments/a.ts', '../a.ts'],
    allowed: [
      './a.ts',
      '#server/runtime/every.ts',
      '#server/use-cases/sale/a.ts',
      '#server/services.ts',
    ],
  },
  {
    path: 'server/http/routing/seed.ts',
    sentence: 'server/http imports contract, use cases',
    forbidden: [
      '#server/database/a.ts',
      '#server/mail/a.ts',
      '#server/workers/a.ts',
      '../a.ts',
      '#server/http/api/a.ts',
    ],
    allowed: ['./errors.ts', '#contract/a.ts', '#server/use-cases/access/a.ts', 'fastify'],
  },
  {
    path: 'web/main.tsx',
    sentence: 'web imports neither the server',
    forbidden: ['#server/services.ts', '#tests/kit/a.ts', '#tools/a.ts', 'node:fs'],
    allowed: ['./app/router.tsx', '#web/ui/a.tsx', 'react'],
  },
  {
    path: 'web/lib/format/seed.ts',
    sentence: 'web/lib and web/messages import contract and domain',
    forbidden: ['#web/ui/a.tsx', '#web/session/a.ts', '#server/a.ts', 'node:fs', '../ui/a.tsx'],
    allowed: ['./call.ts', '#contract/a.ts', '#domain/money.ts', '#web/messages/a.ts', 'react'],
  },
  {
    path: 'web/messages/seed.ts',
    sentence: 'web/lib and web/messages import contract and domain',
    forbidden: ['#web/features/stage/a.ts', '#web/app/a.ts'],
    allowed: ['./en/buy.ts', '#web/lib/a.ts', '#domain/a.ts'],
  },
  {
    path: 'web/ui/seed.tsx',
    sentence: 'web/ui imports lib and messages',
    forbidden: ['#contract/a.ts', '#web/session/a.ts', '#web/features/stage/a.ts', '../app/a.ts'],
    allowed: ['./button.tsx', '#web/lib/a.ts', '#web/messages/a.ts', 'react-aria-components'],
  },
  {
    path: 'web/session/seed.ts',
    sentence: 'web/session imports contract, domain',
    forbidden: ['#web/ui/a.tsx', '#web/features/stage/a.ts', '#server/a.ts', '../ui/a.tsx'],
    allowed: ['./reducer.ts', '#web/lib/call.ts', '#contract/a.ts'],
  },
  {
    path: 'web/features/stage/seed.tsx',
    sentence: 'A feature imports session, ui, lib',
    forbidden: [
      '#web/features/purchase/a.ts',
      '#web/screens/a.tsx',
      '#server/a.ts',
      '../account/a.ts',
    ],
    allowed: ['./queries.ts', '#web/ui/a.tsx', '#web/session/a.ts', '#contract/a.ts'],
  },
  {
    path: 'web/screens/seed.tsx',
    sentence: 'A screen arranges features',
    forbidden: ['#web/app/a.tsx', '#contract/a.ts', '#server/a.ts', '../app/a.ts'],
    allowed: ['./login.tsx', '#web/features/stage/a.tsx', '#web/ui/a.tsx'],
  },
  {
    path: 'web/app/seed.tsx',
    sentence: 'web/app imports web, contract and domain',
    forbidden: ['#server/a.ts', '#tests/kit/a.ts', 'node:fs', '../../server/a.ts'],
    allowed: ['#web/screens/a.tsx', '#web/lib/a.ts', 'react-router'],
  },
  {
    path: 'tools/seed.ts',
    sentence: 'tools import neither tests nor the web app',
    forbidden: ['#tests/kit/a.ts', '#web/lib/a.ts'],
    allowed: ['./project.ts', '#server/database/a.ts'],
  },
]

/** The rules apply to every kind of import, including type imports and dynamic ones. */
const forms: ((source: string, name: string) => string)[] = [
  (source, name) => `import { x as ${name} } from '${source}'; void ${name}`,
  (source, name) =>
    `import type { X as ${name} } from '${source}'; export type Of${name} = ${name}`,
  (source, name) => `export { x as ${name} } from '${source}'`,
  (source, name) => `export const ${name} = () => import('${source}')`,
]

const linesOf = ({ forbidden, allowed }: Layer) =>
  [...forbidden, ...allowed].flatMap((source, at) =>
    forms.map((form, index) => form(source, `a${at}${index}`)),
  )

const complaints = lintSeeds(
  new Map(layers.map((layer) => [layer.path, linesOf(layer).join('\n')])),
).filter(({ rule }) => rule === 'rooms(imports)')

test.each(layers)('$path keeps to its layer', (layer) => {
  const found = linesOf(layer).map((code, index) => ({
    code,
    complaint: complaints.find(({ path, line }) => path === layer.path && line === index + 1)?.text,
  }))
  const count = layer.forbidden.length * forms.length
  const toForbidden = found.slice(0, count)
  const toAllowed = found.slice(count)

  expect(toForbidden.filter(({ complaint }) => !complaint?.includes(layer.sentence))).toEqual([])
  expect(toAllowed.filter(({ complaint }) => complaint)).toEqual([])
})

test('services.ts may name types of domain and of the tables, and no values', () => {
  const types = [
    "import type { Sale } from '#domain/sale/sale.ts'; export type A = Sale",
    "import type { Database } from './database/tables/tables.ts'; export type B = Database",
  ]
  const values = ["import { sale } from '#domain/sale/sale.ts'; export const c = sale"]
  const found = lintSeeds(new Map([['server/services.ts', [...types, ...values].join('\n')]]))
  const lines = found.filter(({ rule }) => rule === 'rooms(imports)').map(({ line }) => line)

  expect(lines).toEqual([3])
})
