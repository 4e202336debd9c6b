import * as z from 'zod/mini'
import type { Block } from '#server/payments/chains/blocks/block.ts'
import {
  type Cursor,
  cursorAt,
  formatCursor,
  parseCursor,
} from '#server/payments/chains/blocks/cursor.ts'

export type EvmCursor = Cursor & {
  /** False while balances were out of reach, so that what contracts sent is yet to be found. */
  isAccounted: boolean
}

const Stored = z.object({ isAccounted: z.boolean() })

export function parseEvmCursor(text: string): EvmCursor {
  const { isAccounted } = z.parse(Stored, JSON.parse(text))
  return { ...parseCursor(text), isAccounted }
}

export function formatEvmCursor({ isAccounted, ...cursor }: EvmCursor): string {
  return formatCursor(cursor, { isAccounted })
}

export function evmCursorAt(block: Block): EvmCursor {
  return { ...cursorAt(block), isAccounted: true }
}
