import { type Room, siblings } from './room.ts'
import { useCaseRooms } from './use-case-rooms.ts'

const database = (noun: string, imports: readonly string[]): Room => ({
  path: noun === '' ? 'server/database' : `server/database/${noun}`,
  imports: ['domain', 'server/ports', ...imports.map((name) => `server/database/${name}`)],
  packages: ['kysely', 'pg', '@electric-sql/pglite', 'node:*'],
  sentence: `server/database imports domain, Kysely and the two database drivers, types of ports, nothing else. ${siblings(noun, imports)}`,
})

const rail = (path: string, imports: readonly string[]): Room => ({
  path: `server/payments${path}`,
  imports: [
    'domain',
    'server/ports',
    'server/payments/variables.ts',
    ...imports.map((name) => `server/payments/${name}`),
  ],
  packages: ['*'],
  sentence:
    'A rail imports ports, domain, what chains share and its own library: no database, no other adapter.',
})

const feature = (path: string, imports: readonly string[] = []): Room => ({
  path: `web/features${path}`,
  imports: [
    'contract',
    'domain',
    'web/lib',
    'web/messages',
    'web/session',
    'web/ui',
    ...imports.map((name) => `web/features/${name}`),
  ],
  packages: ['*'],
  inBrowser: true,
  sentence:
    'A feature imports session, ui, lib, messages, contract and domain: never another feature; a screen brings two together.',
})

const ui = (name: string, imports: readonly string[]): Room => ({
  path: `web/ui${name}`,
  imports: ['web/lib', 'web/messages', ...imports.map((each) => `web/ui/${each}`)],
  packages: ['*'],
  inBrowser: true,
  sentence: 'web/ui imports lib and messages, and knows nothing of the sale.',
})

/**
 * Who may import what, from the bottom up within each room of the project. Imports go one way: no
 * entry names a room that comes after it.
 */
export const rooms: readonly Room[] = [
  {
    path: 'domain',
    imports: [],
    packages: [],
    sentence: 'domain imports nothing but domain: no package, no Node, no other room.',
  },
  {
    path: 'domain/accounts',
    imports: ['domain/exact-json.ts'],
    packages: [],
    sentence: 'domain imports nothing but domain; accounts know nothing of money or the sale.',
  },
  {
    path: 'domain/operators',
    imports: [],
    packages: [],
    sentence: 'domain imports nothing but domain; operators know nothing of money or the sale.',
  },
  ...['sale', 'chains', 'settlement'].map((noun, nth) => ({
    path: `domain/${noun}`,
    imports: [
      'domain/exact-json.ts',
      'domain/invariant.ts',
      'domain/money.ts',
      'domain/refusal.ts',
      ...(nth > 0 ? ['domain/sale'] : []),
    ],
    packages: [],
    sentence:
      'domain imports nothing but domain: settlement and chains import the sale, which imports money.',
  })),
  {
    path: 'domain/refunds',
    imports: ['domain/csv-line.ts', 'domain/money.ts', 'domain/settlement'],
    packages: [],
    sentence: 'domain imports nothing but domain: refunds import settlement.',
  },
  {
    path: 'domain/delivery',
    imports: ['domain/money.ts', 'domain/sale'],
    packages: [],
    sentence: 'domain imports nothing but domain: delivery imports the sale, which imports money.',
  },
  {
    path: 'contract',
    imports: ['domain'],
    packages: ['zod', 'zod/*'],
    sentence: 'contract imports domain and zod, nothing else.',
  },

  ...['', 'tables'].map((noun) => database(noun, [])),
  ...['connection', 'connections'].map((noun) => database(noun, ['tables'])),
  database('accounts', ['tables', 'connection']),
  database('books', ['tables', 'connection']),
  database('refunds', ['tables', 'connection']),
  database('sale', ['tables', 'connection', 'books']),
  database('purchases', ['tables', 'connection', 'books']),
  database('operators', ['tables', 'connection', 'accounts', 'books', 'rails', 'refunds']),
  database('rails', ['tables', 'connection', 'purchases', 'refunds']),
  database('sweeps', ['tables', 'connection']),
  database('settlement', ['tables', 'connection', 'purchases', 'rails', 'refunds']),
  database('delivery', ['tables', 'connection', 'books']),
  {
    path: 'server/ports',
    imports: ['domain'],
    packages: [],
    typesOnly: true,
    sentence:
      'A port says in types of the domain what the server needs, and knows nobody who does it.',
  },
  {
    path: 'server/services.ts',
    imports: [
      'domain',
      'server/ports',
      'server/database/tables',
      'server/database/books',
      'server/database/purchases',
    ],
    packages: [],
    typesOnly: true,
    sentence:
      'services.ts imports types of domain, ports and tables: it says what there is and builds nothing.',
  },
  {
    path: 'server/mail',
    imports: ['domain', 'server/ports'],
    packages: ['*'],
    sentence:
      'server/mail imports ports, domain and its own library: no database, no other adapter.',
  },
  {
    path: 'server/prices',
    imports: ['domain', 'server/ports'],
    packages: ['*'],
    sentence:
      'A price source imports ports, domain and its own library: no database, no other adapter.',
  },
  rail('', []),
  rail('/payouts', []),
  rail('/sandbox', ['payouts']),
  rail('/keys', []),
  rail('/chains/nodes', []),
  rail('/chains/blocks', ['chains/nodes']),
  rail('/chains', ['chains/nodes', 'chains/blocks']),
  rail('/evm/calls', ['chains']),
  rail('/evm/tokens', ['chains', 'evm/calls']),
  rail('/evm/payouts', ['chains', 'payouts', 'evm/calls']),
  rail('/evm/sweeping', ['chains', 'evm/calls']),
  rail('/evm/claims', ['chains', 'evm/calls']),
  rail('/evm/wallets', ['chains', 'evm/calls', 'evm/payouts']),
  rail('/evm', ['chains', 'keys', 'evm/calls', 'evm/tokens', 'evm/payouts', 'evm/sweeping']),
  rail('/utxo', ['chains', 'keys', 'payouts']),
  rail('/gateway', ['chains']),
  rail('/btcpay', ['chains', 'gateway']),
  rail('/nowpayments', ['chains', 'gateway']),
  ...['merkle', ''].map((name) => ({
    path: name === '' ? 'server/delivery-files' : `server/delivery-files/${name}`,
    imports: [
      'domain',
      'server/ports',
      ...(name === ''
        ? ['server/delivery-files/merkle', 'server/payments/evm/payouts/safe-transactions.ts']
        : []),
    ],
    packages: ['viem', 'viem/utils', '@noble/hashes/sha3.js', 'node:*'],
    sentence:
      'server/delivery-files makes trees and files: it imports domain, ports, its own library, and how a Safe is told.',
  })),
  ...[
    { path: 'server/sale-file/document', imports: [] },
    { path: 'server/sale-file/tokens', imports: ['server/sale-file/document'] },
    { path: 'server/sale-file', imports: ['server/sale-file'] },
  ].map(({ path, imports }) => ({
    path,
    imports: ['domain', ...imports],
    packages: ['*'],
    sentence: 'server/sale-file reads a file into domain values, and imports domain alone.',
  })),

  ...useCaseRooms,
  {
    path: 'server/runtime',
    imports: ['domain', 'server/database', 'server/ports', 'server/services.ts'],
    packages: ['*'],
    sentence: 'server/runtime builds services: it imports domain and the database.',
  },
  {
    path: 'server/security',
    imports: [
      'domain',
      'server/database',
      'server/ports',
      'server/runtime',
      'server/use-cases/access',
    ],
    packages: ['*'],
    sentence: 'server/security builds services: it imports domain, the database and runtime.',
  },
  {
    path: 'server/config',
    imports: [
      'domain',
      'server/database/connection',
      'server/payments',
      'server/ports',
      'server/prices',
      'server/runtime',
    ],
    packages: ['*'],
    sentence: 'server/config reads settings, and imports those who say what theirs are.',
  },
  {
    path: 'server/workers',
    imports: [
      'domain',
      'server/ports',
      'server/services.ts',
      'server/use-cases',
      'server/runtime/every.ts',
    ],
    packages: ['*'],
    sentence: 'A worker imports use cases and services: it decides nothing by itself.',
  },
  ...['routing', '', 'api', 'web', 'docs'].map((name) => ({
    path: name === '' ? 'server/http' : `server/http/${name}`,
    imports: [
      'contract',
      'domain',
      'server/ports',
      'server/services.ts',
      'server/use-cases',
      ...(name === 'routing' ? [] : ['server/http/routing']),
      ...(name === 'web' ? ['server/http/api'] : []),
    ],
    packages: ['*'],
    sentence:
      'server/http imports contract, use cases, services and domain: never the database or an adapter; routing is imported by the rest of it.',
  })),
  {
    path: 'server/operator',
    imports: ['contract', 'domain', 'server/config', 'server/ports'],
    packages: ['*'],
    sentence: 'The operator’s command imports the contract and the settings: it calls a server.',
  },
  {
    path: 'server',
    imports: ['contract', 'domain', 'server'],
    packages: ['*'],
    sentence: 'server imports neither the web app, nor tests, nor tools.',
  },

  ...[
    { path: 'web/lib/api', imports: [] },
    { path: 'web/lib', imports: ['web/lib/api'] },
    { path: 'web/messages', imports: ['web/lib/*', 'web/lib/api', 'web/lib/wallet'] },
    { path: 'web/lib/format', imports: ['web/lib/*', 'web/lib/api', 'web/messages'] },
  ].map(({ path, imports }) => ({
    path,
    imports: ['contract', 'domain', ...imports],
    packages: ['*'],
    inBrowser: true as const,
    sentence:
      'web/lib and web/messages import contract and domain, nothing else of ours; formats import messages, which import lib.',
  })),
  ui('/style', []),
  ui('/actions.tsx', ['style']),
  ui('/feedback', ['style', 'actions.tsx']),
  ui('/fields', ['style', 'actions.tsx', 'feedback']),
  ui('/layout', ['style', 'actions.tsx']),
  ui('', ['style', 'actions.tsx', 'feedback', 'fields', 'layout']),
  {
    path: 'web/session',
    imports: ['contract', 'domain', 'web/lib', 'web/messages'],
    packages: ['*'],
    inBrowser: true,
    sentence: 'web/session imports contract, domain, lib and messages: it shows nothing.',
  },
  feature(''),
  ...[
    'banner',
    'offer',
    'price-chart',
    'price-ladder',
    'project',
    'promotion',
    'proof',
    'referral',
    'sandbox',
    'stage',
    'wallet',
  ].map((noun) => feature(`/${noun}`)),
  feature('/account/phone'),
  feature('/account/verification', ['account/*']),
  feature('/account', ['account/phone']),
  feature('/account/profile', ['account/*', 'account/phone', 'account/verification']),
  feature('/account/security', ['account/*']),
  feature('/account/sign-in', ['account/*', 'account/phone', 'account/verification']),
  feature('/purchase'),
  feature('/purchase/picker', ['purchase/*']),
  feature('/purchase/wallet', ['purchase/*']),
  feature('/purchase/refunds', ['purchase/*']),
  feature('/purchase/transactions', [
    'purchase/*',
    'purchase/picker',
    'purchase/refunds',
    'purchase/wallet',
  ]),
  feature('/purchase/buy', ['purchase/*', 'purchase/picker', 'purchase/transactions']),
  {
    path: 'web/screens',
    imports: ['web/features', 'web/session', 'web/ui', 'web/lib', 'web/messages'],
    packages: ['*'],
    inBrowser: true,
    sentence: 'A screen arranges features, session and ui; rules and calls belong in features.',
  },
  {
    path: 'web/app',
    imports: ['contract', 'domain', 'web'],
    packages: ['*'],
    inBrowser: true,
    sentence: 'web/app imports web, contract and domain, nothing else of ours.',
  },
  {
    path: 'web',
    imports: ['contract', 'domain', 'web'],
    packages: ['*'],
    inBrowser: true,
    sentence: 'web imports neither the server, nor Node, nor tests, nor tools.',
  },
  ...['kit', 'session', 'shell', ''].map((name) => ({
    path: name === '' ? 'console' : `console/${name}`,
    imports: ['contract', 'domain', 'web/lib', 'web/messages', 'web/ui', 'console'],
    packages: ['*'],
    inBrowser: true as const,
    sentence:
      'The console imports contract, domain and the kit of the buyers’ pages: web/ui, lib and messages.',
  })),
  {
    path: 'tools',
    imports: ['contract', 'domain', 'server', 'tools'],
    packages: ['*'],
    sentence: 'tools import neither tests nor the web app.',
  },
]
