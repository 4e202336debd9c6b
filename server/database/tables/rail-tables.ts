import type { Generated, GeneratedAlways } from 'kysely'

export type RailTables = {
  derivation_keys: {
    name: string
    fingerprint: string
    is_current: boolean
    next_index: Generated<bigint>
    pinned_at: Date
  }
  derived_addresses: {
    id: GeneratedAlways<bigint>
    key_name: string
    fingerprint: string
    derivation_index: bigint
    chain: string
    address: string
    taken_at: Date
  }
}
