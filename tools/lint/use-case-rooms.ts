import { type Room, siblings } from './room.ts'

/** What an operator's act that may take two people needs. */
const acting = ['access', 'approvals', 'audit']

const caseOf = (noun: string, imports: readonly string[]): Room => ({
  path: noun === '' ? 'server/use-cases' : `server/use-cases/${noun}`,
  imports: [
    'domain',
    'server/database',
    'server/ports',
    'server/services.ts',
    ...imports.map((name) => `server/use-cases/${name}`),
  ],
  packages: ['node:crypto'],
  sentence:
    'A use case imports services, ports, database and domain: never http, contract, an adapter or a package. ' +
    siblings(noun, imports),
})

export const useCaseRooms: readonly Room[] = [
  caseOf('', []),
  caseOf('access', []),
  caseOf('two-factor', ['access']),
  caseOf('sessions', ['access']),
  caseOf('audit', ['access']),
  caseOf('operators', ['access', 'audit']),
  caseOf('connections', ['access', 'audit']),
  caseOf('approvals', ['access', 'audit']),
  caseOf('sale', ['access']),
  caseOf('wallets', acting),
  caseOf('sale-files', [...acting, 'sale']),
  caseOf('purchases', ['access', 'sale']),
  caseOf('releases', ['access', 'audit']),
  caseOf('accounts', ['access', 'sessions', 'purchases']),
  caseOf('distributions', acting),
  caseOf('deliveries', [...acting, 'distributions']),
  caseOf('mailing/texts', ['sale', 'purchases']),
  caseOf('mailing', ['access', 'sale', 'purchases', 'deliveries', 'mailing/texts']),
  caseOf('settlement', ['access', 'sale']),
  caseOf('sandbox', ['settlement']),
  caseOf('sweeps', [...acting, 'sale']),
  caseOf('operations', [...acting, 'sale', 'sessions', 'settlement']),
  caseOf('refunds', [...acting, 'sale', 'settlement']),
  caseOf('reversals', [...acting, 'operations', 'purchases', 'sale', 'settlement']),
  caseOf('snapshots', [...acting, 'operations', 'sale', 'settlement']),
  caseOf('approved', [
    ...acting,
    'deliveries',
    'distributions',
    'operations',
    'refunds',
    'reversals',
    'sale-files',
    'snapshots',
    'sweeps',
    'wallets',
  ]),
  caseOf('console', ['access', 'audit', 'operations']),
  caseOf('people', ['access', 'audit', 'accounts']),
]
