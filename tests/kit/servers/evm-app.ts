import { HDKey } from '@scure/bip32'
import { randomUUID } from 'node:crypto'
import type { Transaction } from '#contract/shapes.ts'
import { parseDecimal } from '#domain/money.ts'
import type { PaymentToken, Sale } from '#domain/sale/sale.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { lookAt } from '#tests/kit/builders/a-purchase.ts'
import type { RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { aPaymentToken, dollars, priced } from '#tests/kit/builders/domain-builders.ts'
import { startApp, type TestApp, type TestAppOptions } from './start-app.ts'

/** An account's extended public key at m/44'/60'/0'. */
export function accountKey(seed: string): string {
  const root = HDKey.fromMasterSeed(Buffer.from(seed.padEnd(32, '.')))
  return root.derive("m/44'/60'/0'").publicExtendedKey
}

/** Confirmations that the tests' payments need. */
export const CONFIRMATIONS = 3

type EvmOptions = {
  /** By chain id: the address of the node, or of several. */
  nodes: Record<number, string>
  tokens: readonly PaymentToken[]
  environment?: Record<string, string>
  expireAfterMs?: number
  changeSale?: (sale: Sale) => Sale
} & Pick<TestAppOptions, 'open' | 'pace'>

/** The whole server with a sale that is paid on real EVM chains. */
export async function startEvmApp(options: EvmOptions): Promise<TestApp> {
  const { nodes, tokens, environment, expireAfterMs = 1_800_000, open, pace } = options
  const { changeSale = (sale: Sale) => sale } = options
  return await startApp({
    changeSale: (sale) => ({
      ...onTokens(changeSale(sale), tokens),
      purchases: { ...sale.purchases, expireAfterMs },
    }),
    environment: {
      // Fresh, so that no address of another test has left a trace on its chain.
      EVM_XPUB: accountKey(randomUUID()),
      ...Object.fromEntries(
        Object.entries(nodes).flatMap(([chainId, url]) => [
          [`EVM_RPC_URL_${chainId}`, url],
          [`EVM_CONFIRMATIONS_${chainId}`, String(CONFIRMATIONS)],
        ]),
      ),
      ...environment,
    },
    ...(open && { open }),
    ...(pace !== undefined && { pace }),
  })
}

/** The sale with other payment tokens. */
export function onTokens(sale: Sale, paymentTokens: readonly PaymentToken[]): Sale {
  const bonuses = { paymentTokens: [] }
  return {
    ...sale,
    paymentTokens,
    stages: sale.stages.map((stage) => ({ ...stage, bonuses: { ...stage.bonuses, ...bonuses } })),
  }
}

/** Ether, or the coin of another chain. */
export function aCoin(changes: Partial<PaymentToken> = {}): PaymentToken {
  return aPaymentToken({
    minUsd: dollars('0'),
    fixedPrice: priced('2500'),
    rail: 'evm',
    providerIds: { evm: 'eth' },
    ...changes,
  })
}

/** A token worth a dollar. */
export function aToken(contract: string, changes: Partial<PaymentToken> = {}): PaymentToken {
  return aCoin({
    id: 'usdt',
    name: 'Tether',
    symbol: 'USDT',
    decimals: 6,
    fixedPrice: priced('1'),
    contract,
    ...changes,
  })
}

/** The amount due for a purchase, in base units. */
export function dueOf({ payment_amount, payment_token }: Transaction): bigint {
  return parseDecimal(payment_amount ?? '0', payment_token?.decimals ?? 0) ?? 0n
}

export function addressOf({ payment_address }: Transaction): string {
  return payment_address ?? ''
}

/** Lets the server read its chains once, and shows the purchase as its buyer then sees it. */
export async function readAndLook(
  app: TestApp,
  buyer: RegisteredUser,
  purchase: Transaction,
): Promise<Transaction> {
  await watchChains(app.services)
  return await lookAt(app, buyer, purchase)
}
