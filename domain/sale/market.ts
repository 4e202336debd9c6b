import type { SourcedPrice } from './price-quorum.ts'
import type { StageProgress } from './sale.ts'

/** Everything about the sale that changes while it runs. */
export type Market = {
  isPaused: boolean
  /** By stage id. */
  progress: ReadonlyMap<string, StageProgress>
  /** By symbol. */
  prices: ReadonlyMap<string, SourcedPrice & { fetchedAt: Date }>
}
