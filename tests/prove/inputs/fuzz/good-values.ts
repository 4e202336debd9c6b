import { createHmac, randomBytes, randomUUID } from 'node:crypto'

import { BTCPAY_SECRET, signDelivery } from '#tests/kit/servers/btcpay-server.ts'
import { IPN_SECRET } from '#tests/kit/servers/nowpayments-server.ts'
import { distributionTools } from '#domain/delivery/distribution.ts'
import { nextWallet, walletAddresses } from './good-wallets.ts'
import type { Person, World } from './world.ts'

const NOBODYS_ID = '00000000-0000-4000-8000-000000000000'
/** Of the form that they have, for a message that nobody wrote. */
const nobodysSignature = { nonce: 'n'.repeat(32), signature: `0x${'11'.repeat(65)}` }
const YEAR_MS = 365 * 24 * 60 * 60_000

/** Which payment tokens the sale takes, and whether its payments are simulated. */
export type FuzzedSale = { tokens: readonly string[]; gateways: readonly string[] }

type Maker = (world: World, person: Person | null, call: string, sale: FuzzedSale) => unknown

const nameOf: Maker = (world) =>
  world.pick(['Ada', 'Zoë', "O'Neill", '李小龍', 'محمد', '=1+1', '<b>Ada</b>', 'x'.repeat(100)])

/** What fits a field of this name, in a body, a query or a header, with what is known by now. */
export const makers: Readonly<Record<string, Maker>> = {
  first_name: nameOf,
  last_name: nameOf,
  email: (world, person, call) =>
    call === 'auth.register'
      ? `fuzz.${process.pid}.${world.next()}@example.com`
      : (person?.email ?? 'nobody@example.com'),
  nationality: (world) => world.pick(['GB', 'DE', 'CH', 'JP']),
  password: (world, person, call) =>
    ['auth.register', 'auth.resetPassword', 'auth.changePassword'].includes(call)
      ? `pass-${world.roll(1e6)}-word`
      : (person?.password ?? 'passw0rd-1815'),
  current_password: (_, person) => person?.password ?? 'passw0rd-1815',
  code: (world, person) => (person === null ? '123456' : world.codeOf(person)),
  mobile: (world) => world.pick(['+44 7911123456', '+49 15123456789']),
  language: (world) => world.pick(['en', 'de']),
  referrals: (world) => ({ referred_by: world.person()?.id ?? NOBODYS_ID }),
  refresh_token: (_, person) => person?.refresh ?? 'nobodys-token',
  token: (world, person) => world.linkOf(person?.email ?? '') ?? 'nobodys-link',
  purchase_amount: (world) =>
    world.pick([100, 100, 100, 120.5, 150.25, 250, 500, 1_000, 10_000, 0.01]),
  purchase_token_id: (world, _person, _call, sale) => world.pick(sale.tokens),
  token_price: () => 0.000_12,
  bonuses: () => ({ base_bonus: 1 }),
  address: (world, person, call) => {
    if (call === 'wallets.setWallet') return nextWallet(person)
    if (call === 'operatorWallets.changeUserWallet') return world.pick(walletAddresses)
    if (call.startsWith('refunds.') && world.chance(80)) return `sandbox-wallet-${world.roll(3)}`
    return world.known('payment_address', 'address') ?? 'nobodys-address'
  },
  signer: (_, person) => nextWallet(person),
  receiver: (world) => world.pick(walletAddresses),
  former: (_, person) => person?.wallet ?? null,
  proof: (world, person) => person?.signed ?? (world.chance(30) ? nobodysSignature : undefined),
  // Only an old wallet agrees to another one.
  consent: (_, person) => (person?.wallet === null ? undefined : nobodysSignature),
  last_characters: (_, person) => nextWallet(person).slice(-6),
  is_no_exchange: () => true,
  is_own_contract: (world) => world.chance(50),
  tool: (world) => world.pick(distributionTools),
  through: (world) => world.roll(7),
  snapshot: (_world, _person, call) => (call.startsWith('proof.') ? '1' : 1),
  purchase_id: (world, person) => person?.purchaseIds.at(-1) ?? idIn(world),
  contract: (world) => world.known('contract') ?? world.pick(walletAddresses),
  campaign: (world) => (world.chance(50) ? randomUUID() : undefined),
  is_handed_out: (world) => world.chance(50),
  sends_nothing_more: (world) => world.chance(50),
  from_block: (world) => String(world.roll(1_000)),
  claim_url: () => 'https://claim.example/pear',
  expires_date: () => new Date(Date.now() + YEAR_MS).toISOString(),
  payment_token_id: (world, _person, _call, sale) => world.pick(sale.tokens),
  chain: (world) => (world.chance(80) ? 'sandbox' : (world.known('chain') ?? 'sandbox')),
  rail: () => 'sandbox',
  fee: (world) => world.known('fee') ?? '0',
  claim_ids: (world) => [idIn(world)],
  amount: (world) => world.known('payment_amount', 'due_amount', 'amount') ?? '1',
  count: (world) => 1 + world.roll(3),
  depth: (world) => 1 + world.roll(2),
  reason: () => 'Somebody tries everything',
  force: () => true,
  hash: () => `0x${randomBytes(32).toString('hex')}`,
  text: (world) => world.pick(['project: {}', 'stages: []\n']),
  applied_id: () => '1',
  chain_id: () => '1',
  gas_gwei: () => '1.5',
  min_usd: () => '5',
  shared: (world) => world.chance(50),
  all: (world) => world.pick(['true', 'false']),
  after: (world) => world.known('after', 'id', 'receipt_id') ?? NOBODYS_ID,
  before: (world) => world.known('before', 'id') ?? NOBODYS_ID,
  limit: (world) => String(1 + world.roll(100)),
  state: (world) => world.pick(['open', 'done', 'refund']),
  status: (world) => world.pick(['pending', 'processing', 'completed', 'expired', 'failed']),
  period: (world) => world.pick(['day', 'week', 'month', 'all']),
  to: (world, person) => person?.email ?? world.known('to') ?? 'nobody@example.com',
  id: (world) => world.known('id', 'purchase_id') ?? NOBODYS_ID,
  'idempotency-key': (world) =>
    (world.chance(10) ? world.known('idempotency-key') : null) ?? randomUUID(),
  'operator-name': () => 'Olga',
}

/** What fits a parameter of a path. */
export function goodParam(
  world: World,
  { name, path }: { name: string; path: string },
  owner: Person | null,
  sale: FuzzedSale,
): string {
  if (name === 'session_id') {
    return owner?.sessionIds[0] ?? world.known('id') ?? NOBODYS_ID
  }
  if (name === 'format') return 'csv'
  if (name === 'gateway') return world.pick([...sale.gateways, 'btcpay', 'sandbox'])
  if (path.startsWith('/tokens')) return world.pick(sale.tokens)
  if (path.startsWith('/users')) return owner?.id ?? NOBODYS_ID
  if (path.startsWith('/transactions')) {
    return (owner && world.roll(2) === 0 ? owner.purchaseIds.at(-1) : null) ?? idIn(world)
  }
  if (path.startsWith('/operator/refunds')) return world.known('receipt_id') ?? idIn(world)
  const isNumbered = /^\/operator\/(refund-batches|distributions|snapshots)/.test(path)
  if (isNumbered && name !== 'name') return String(1 + world.roll(3))
  if (name === 'name') return world.known('manifest_file', 'name') ?? 'distribution-1.csv'
  if (path.startsWith('/operator/users')) {
    const person = owner ?? world.person()
    return (world.chance(50) ? person?.email : person?.id) ?? NOBODYS_ID
  }
  return world.known('purchase_id', 'id') ?? NOBODYS_ID
}

const idIn = (world: World) => world.known('id') ?? NOBODYS_ID

/** A webhook's body that names what gateways name, with its signature. */
export function goodWebhook(world: World, gateway: string): { body: Buffer; signature: string[] } {
  const payment = world.known('payment_id') ?? '404'
  const unique = world.chance(70) ? String(world.next()) : '1'
  if (gateway === 'nowpayments') {
    const paid = `{"actually_paid":${unique},"order_id":${JSON.stringify(idIn(world))},`
    const body = `${paid}"payment_id":${JSON.stringify(payment)},"payment_status":"finished"}`
    const signature = createHmac('sha512', IPN_SECRET).update(body).digest('hex')
    return { body: Buffer.from(body), signature: ['x-nowpayments-sig', signature] }
  }
  const body = JSON.stringify({ deliveryId: unique, invoiceId: payment, type: 'InvoiceSettled' })
  return {
    body: Buffer.from(body),
    signature: ['btcpay-sig', signDelivery(body, BTCPAY_SECRET)],
  }
}
