import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a contract of `paying.sol` or `claiming.sol` was compiled to. */
const bytecodeOf = (name: string) =>
  readFileSync(join(import.meta.dirname, `${name}.hex`), 'utf8').trim()

/** Takes (uint8 decimals, uint256 feePermille, bool isQuiet). */
export const TOKEN_BYTECODE = bytecodeOf('token')
export const PAYER_BYTECODE = bytecodeOf('payer')
export const STRICT_TOKEN_BYTECODE = bytecodeOf('strict-token')
export const ANSWERING_TOKEN_BYTECODE = bytecodeOf('answering-token')

export const BATCH_SENDER_BYTECODE = bytecodeOf('batch-sender')
export const FEE_TOKEN_BYTECODE = bytecodeOf('fee-token')
// These take (address token, bytes32 root).
export const INDEXED_DISTRIBUTOR_BYTECODE = bytecodeOf('indexed-distributor')
export const INSTANT_CAMPAIGN_BYTECODE = bytecodeOf('instant-campaign')
export const TREE_CLAIMER_BYTECODE = bytecodeOf('tree-claimer')
