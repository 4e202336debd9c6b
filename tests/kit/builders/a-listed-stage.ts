import type { ListedStage } from '#contract/sale-page-shapes.ts'

/** A stage as the sale page lists it: open, a hundred tokens at a dollar, nothing sold. */
export function aListedStage(change: Partial<ListedStage> = {}): ListedStage {
  const token_price = change.token_price ?? 1
  return {
    id: 'stage-1',
    name: 'Stage 1',
    type: 'fixed',
    token_price,
    final_token_price: token_price,
    current_token_price: token_price,
    total_tokens: 100,
    sold_tokens: 0,
    is_sold_out: false,
    start_date: '2030-01-01T00:00:00Z',
    end_date: '2030-02-01T00:00:00Z',
    status: 'active',
    vesting: null,
    ...change,
  }
}
