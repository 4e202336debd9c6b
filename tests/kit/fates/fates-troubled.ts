import { type Fate, type FateEnd, HELD, laterBonuses } from './fate.ts'
import { inFull, waiting } from './fates-on-time.ts'

const mined = { mines: 2 } as const
const lateInFull: FateEnd = { ...inFull, reason: 'late' }
const expiredLate = { status: 'expired', reason: 'late' } as const

const late: Fate[] = [
  {
    name: 'exactly, seen',
    steps: ['expires', { pays: '0.5' }],
    end: { status: 'processing', reason: 'late' },
  },
  {
    name: 'exactly, at an unchanged market',
    steps: ['expires', { pays: '0.5' }, mined],
    end: lateInFull,
  },
  {
    name: 'when the coin has risen: at the locked price',
    steps: ['expires', { ether: '4000' }, { pays: '0.5' }, mined],
    end: lateInFull,
  },
  {
    name: 'when the coin has fallen: at its new price',
    steps: ['expires', { ether: '1000' }, { pays: '0.5' }, mined],
    end: { ...lateInFull, usd: '500', base: '5000' },
  },
  {
    name: 'when a dearer stage is on sale: at its price, from its tokens',
    sale: { next: '0.2', isEnding: true },
    steps: ['expires', { pays: '0.5' }, mined],
    end: { ...lateInFull, base: '5000', stages: { 'stage-2': '6300' } },
  },
  {
    name: 'when a cheaper stage is on sale: at the locked price, from its tokens',
    sale: { next: '0.05', isEnding: true },
    steps: ['expires', { pays: '0.5' }, mined],
    end: { ...lateInFull, stages: { 'stage-2': '12600' } },
  },
  {
    name: 'when the sale has ended',
    sale: { isEnding: true },
    steps: ['expires', { pays: '0.5', as: 'late' }, mined],
    end: { ...expiredLate, refunds: { late: '0.5 late' } },
  },
  {
    name: 'while the sale is paused',
    steps: ['expires', 'pauses', { pays: '0.5', as: 'late' }, mined, 'resumes'],
    end: { ...expiredLate, refunds: { late: '0.5 late' } },
  },
  {
    name: 'when all other tokens are sold: the sale is over',
    sale: { supply: '12_600' },
    steps: ['expires', { rivalBuys: '1000', paying: true }, { pays: '0.5', as: 'late' }, mined],
    end: { ...expiredLate, refunds: { late: '0.5 late' } },
  },
  {
    name: 'when all other tokens are held for somebody',
    sale: { supply: '12_600' },
    steps: ['expires', { rivalBuys: '1000', paying: false }, { pays: '0.5', as: 'late' }, mined],
    end: { ...expiredLate, refunds: { late: '0.5 late' } },
  },
  {
    name: 'when few tokens are left',
    sale: { supply: '13_860' },
    steps: ['expires', { rivalBuys: '1000', paying: false }, { pays: '0.5', as: 'late' }, mined],
    end: {
      ...lateInFull,
      usd: '100',
      ether: '0.05',
      base: '1000',
      refunds: { late: '0.45 late' },
    },
  },
  {
    name: 'less than the minimum',
    steps: ['expires', { pays: '0.04', as: 'late' }, mined],
    end: { ...expiredLate, refunds: { late: '0.04 late' } },
  },
  {
    name: 'the rest of an underpayment',
    steps: [{ pays: '0.2' }, mined, 'expires', { pays: '0.3' }, mined],
    end: lateInFull,
  },
  {
    name: 'the rest, when nobody else’s tokens are left: from what was held for the purchase',
    sale: { supply: '12_600' },
    steps: [{ pays: '0.2' }, 'expires', { pays: '0.3' }, mined],
    end: lateInFull,
  },
  {
    name: 'more than the rest, when nobody else’s tokens are left',
    sale: { supply: '12_600' },
    steps: [
      { pays: '0.2' },
      'expires',
      { pays: '0.2' },
      { pays: '0.2', as: 'last' },
      mined,
      'reports again',
    ],
    end: { ...lateInFull, refunds: { last: '0.1 late' } },
  },
  {
    name: 'once more, after a payment in time',
    steps: [{ pays: '0.5' }, mined, 'expires', { pays: '0.1' }, mined],
    end: { status: 'completed', reason: 'overpaid', usd: '1200', ether: '0.6', base: '12000' },
  },
  {
    name: 'when a later purchase has the bonus for the first one',
    steps: ['expires', { buys: 'another', usd: '1000' }, { pays: '0.5' }, mined],
    end: { ...lateInFull, bonuses: laterBonuses },
    others: { another: { ...waiting, held: HELD } },
  },
]

const wrongAsset: Fate[] = [
  {
    name: 'alone, seen',
    steps: [{ pays: '7', asset: 'usdt' }],
    end: { ...waiting, reason: 'wrong_asset' },
  },
  {
    name: 'alone, confirmed',
    steps: [{ pays: '7', asset: 'usdt', as: 'tether' }, mined],
    end: { ...waiting, reason: 'wrong_asset', refunds: { tether: '7 wrong_asset' } },
  },
  {
    name: 'alone, at the expiry',
    steps: [{ pays: '7', asset: 'usdt', as: 'tether' }, mined, 'expires'],
    end: { status: 'expired', reason: 'wrong_asset', refunds: { tether: '7 wrong_asset' } },
  },
  {
    name: 'beside the right one, in one chain transaction',
    steps: [
      { pays: '0.5', as: 'ether' },
      { pays: '7', asset: 'usdt', as: 'tether', besides: 'ether' },
      mined,
    ],
    end: { ...inFull, refunds: { tether: '7 wrong_asset' } },
  },
]

const reorganised: Fate[] = [
  {
    name: 'before it was confirmed',
    steps: [{ pays: '0.5' }, { mines: 1 }, { reorganises: 1 }],
    end: { ...waiting, reason: 'reorged' },
  },
  {
    name: 'after completion',
    steps: [{ pays: '0.5' }, mined, { reorganises: 2 }],
    end: { ...waiting, reason: 'reorged' },
  },
  {
    name: 'after completion, deep',
    steps: [{ pays: '0.5' }, { mines: 40 }, { reorganises: 40 }],
    end: { ...waiting, reason: 'reorged' },
  },
  {
    name: 'not deep enough to touch it',
    steps: [{ pays: '0.5' }, { mines: 40 }, { reorganises: 39 }],
    end: inFull,
  },
  {
    name: 'after completion and after the expiry',
    steps: [{ pays: '0.5' }, mined, 'expires', { reorganises: 2 }],
    end: { status: 'expired', reason: 'reorged' },
  },
  {
    name: 'and mined again, not yet confirmed',
    steps: [{ pays: '0.5', as: 'lost' }, mined, { reorganises: 2 }, { minesAgain: 'lost' }],
    end: { status: 'processing', reason: 'reorged', held: HELD },
  },
  {
    name: 'and mined again, confirmed',
    steps: [
      { pays: '0.5', as: 'lost' },
      mined,
      { reorganises: 2 },
      { minesAgain: 'lost' },
      mined,
      'reports again',
    ],
    end: inFull,
  },
  {
    name: 'and mined again after the expiry: it was in time',
    steps: [
      { pays: '0.5', as: 'lost' },
      mined,
      'expires',
      { reorganises: 2 },
      { minesAgain: 'lost' },
      mined,
    ],
    end: inFull,
  },
  {
    name: 'and mined again after the expiry, when somebody else has half of the tokens',
    sale: { supply: '12_600' },
    steps: [
      { pays: '0.5', as: 'lost' },
      mined,
      'expires',
      { reorganises: 2 },
      { rivalBuys: '500', paying: false },
      { minesAgain: 'lost' },
      mined,
    ],
    end: {
      status: 'completed',
      usd: '500',
      ether: '0.25',
      base: '5000',
      refunds: { lost: '0.25 failed' },
    },
  },
  {
    name: 'and paid once more',
    steps: [{ pays: '0.5' }, mined, { reorganises: 2 }, { pays: '0.5' }, mined],
    end: inFull,
  },
  {
    name: 'one of two receipts',
    steps: [{ pays: '0.2' }, mined, { pays: '0.3' }, mined, { reorganises: 2 }],
    end: { status: 'pending', reason: 'reorged', held: HELD, due: '0.3' },
  },
  {
    name: 'two purchases that were paid in one chain transaction, and mined again',
    steps: [
      { buys: 'another', usd: '200' },
      { pays: '0.5', as: 'one' },
      { pays: '0.1', to: 'another', as: 'other', besides: 'one' },
      mined,
      { reorganises: 2 },
      { minesAgain: 'one' },
    ],
    end: { status: 'processing', reason: 'reorged', held: HELD },
    others: { another: { status: 'processing', reason: 'reorged', held: '2380' } },
  },
]

const decided: Fate[] = [
  {
    name: 'failed by an operator, paid',
    steps: [{ operator: 'failed' }, { pays: '0.5', as: 'vain' }, mined],
    end: { status: 'failed', refunds: { vain: '0.5 failed' } },
  },
  {
    name: 'held after late money had bought tokens, and released when somebody else has them',
    sale: { supply: '12_600' },
    steps: [
      'expires',
      { pays: '0.5', as: 'late' },
      mined,
      { operator: 'held' },
      { rivalBuys: '1000', paying: true },
      { operator: 'released' },
      'reports again',
    ],
    end: { ...expiredLate, refunds: { late: '0.5 failed' } },
  },
  {
    name: 'held by an operator, paid',
    steps: [{ operator: 'held' }, { pays: '0.5' }, mined, 'expires'],
    end: { status: 'processing', reason: 'held', held: HELD },
  },
  {
    name: 'failed and released after its stage has ended: the tokens are of that stage again',
    sale: { next: '0.2', isEnding: true, hasGrace: true },
    steps: ['expires', { pays: '0.5' }, mined, { operator: 'failed' }, { operator: 'released' }],
    end: inFull,
  },
  {
    name: 'held and released',
    steps: [{ operator: 'held' }, { pays: '0.5' }, mined, { operator: 'released' }],
    end: inFull,
  },
]

const reversed: Fate[] = [
  {
    name: 'withdrawn from, paid and credited',
    steps: [{ pays: '0.5', as: 'paid' }, mined, { reverses: 'withdrawn' }],
    end: { status: 'failed', reason: 'withdrawn', refunds: { paid: '0.5 withdrawn' } },
  },
  {
    name: 'withdrawn from, not paid',
    steps: [{ reverses: 'withdrawn' }, 'expires'],
    end: { status: 'failed', reason: 'withdrawn' },
  },
  {
    name: 'withdrawn from before its payment is confirmed',
    steps: [{ pays: '0.5', as: 'paid' }, { reverses: 'withdrawn' }, mined],
    end: { status: 'failed', reason: 'withdrawn', refunds: { paid: '0.5 withdrawn' } },
  },
  {
    name: 'withdrawn from, then paid once more',
    steps: [
      { pays: '0.5', as: 'paid' },
      mined,
      { reverses: 'withdrawn' },
      { pays: '0.5', as: 'vain' },
      mined,
    ],
    end: {
      status: 'failed',
      reason: 'withdrawn',
      refunds: { paid: '0.5 withdrawn', vain: '0.5 late' },
    },
  },
  {
    name: 'withdrawn from, its payment reorganised away',
    steps: [{ pays: '0.5' }, mined, { reverses: 'withdrawn' }, { reorganises: 3 }],
    end: { status: 'failed', reason: 'withdrawn' },
  },
  {
    name: 'withdrawn from while it is held',
    steps: [{ pays: '0.5' }, mined, { operator: 'held' }, { reverses: 'withdrawn' }],
    end: { status: 'processing', reason: 'held' },
  },
  {
    name: 'withdrawn from while it is held, and released',
    steps: [
      { pays: '0.5', as: 'paid' },
      mined,
      { operator: 'held' },
      { reverses: 'withdrawn' },
      { operator: 'released' },
    ],
    end: { status: 'failed', reason: 'withdrawn', refunds: { paid: '0.5 withdrawn' } },
  },
  {
    name: 'undone by a missed soft cap, with another asset beside',
    steps: [
      { pays: '0.5', as: 'paid' },
      { pays: '7', as: 'foreign', asset: 'usdt' },
      mined,
      { reverses: 'soft_cap' },
    ],
    end: {
      status: 'failed',
      reason: 'soft_cap',
      refunds: { paid: '0.5 soft_cap', foreign: '7 wrong_asset' },
    },
  },
]

/**
 * What becomes of money that came late or in another asset, was lost, or is decided on by others.
 */
export const fatesTroubled = [
  { event: 'late', fates: late },
  { event: 'wrong asset', fates: wrongAsset },
  { event: 'reorganised', fates: reorganised },
  { event: 'decided by others', fates: decided },
  { event: 'undone as a whole', fates: reversed },
]
