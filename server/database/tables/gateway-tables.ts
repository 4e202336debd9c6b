import type { Generated, GeneratedAlways } from 'kysely'
import type { CryptoAmount } from '#domain/money.ts'

export type GatewayTables = {
  gateways: { name: string; revision: bigint }
  gateway_payments: {
    id: GeneratedAlways<bigint>
    gateway: string
    purchase_id: string
    payment_token_id: string
    is_own: boolean
    payment_id: string | null
    address: string | null
    created_at: Date
    asked_at: Date | null
    known_through: Date | null
    ask_next_at: Date | null
    said: string | null
  }
  gateway_deposits: {
    gateway: string
    transaction_hash: string
    output_index: number
    gateway_payment_id: bigint
    payment_token_id: string | null
    asset: string | null
    amount: CryptoAmount
    is_confirmed: boolean
    is_gone: Generated<boolean>
    sent_at: Date
    revision: bigint
  }
  gateway_events: { gateway: string; event_id: string; received_at: Date; body: string }
}
