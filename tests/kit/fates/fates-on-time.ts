import { type Fate, type FateEnd, HELD, largeBonuses, laterBonuses } from './fate.ts'

const mined = { mines: 2 } as const
/** All that was asked for, credited as quoted. */
export const inFull: FateEnd = { status: 'completed', usd: '1000', ether: '0.5', base: '10000' }
export const waiting = { status: 'pending', due: '0.5', held: HELD } as const

const unpaidAndExact: Fate[] = [
  { name: 'nothing is paid yet', steps: [mined], end: waiting },
  { name: 'never paid', steps: ['expires'], end: { status: 'expired' } },
  {
    name: 'never paid, while no node answers',
    steps: ['expires unread'],
    end: waiting,
  },
  { name: 'exactly, seen', steps: [{ pays: '0.5' }], end: { status: 'processing', held: HELD } },
  {
    name: 'exactly, one confirmation',
    steps: [{ pays: '0.5' }, { mines: 1 }],
    end: { status: 'processing', held: HELD },
  },
  { name: 'exactly, confirmed', steps: [{ pays: '0.5' }, mined], end: inFull },
  {
    name: 'exactly, confirmed long after the expiry',
    steps: [{ pays: '0.5' }, 'expires', mined],
    end: inFull,
  },
  {
    name: 'exactly, told of twice and backwards',
    steps: [{ pays: '0.5' }, 'reports again', mined, 'reports again', 'reports again'],
    end: inFull,
  },
  {
    name: 'exactly, while the price of the coin moves',
    steps: [{ ether: '1000' }, { pays: '0.5' }, { ether: '4000' }, mined],
    end: inFull,
  },
  {
    name: 'exactly, while the sale is paused',
    steps: ['pauses', { pays: '0.5' }, mined, 'resumes'],
    end: inFull,
  },
  {
    name: 'exactly, after its stage has ended',
    sale: { next: '0.2', isEnding: true },
    steps: [{ pays: '0.5' }, 'expires', mined],
    end: inFull,
  },
]

const under: Fate[] = [
  {
    name: 'less, before the expiry',
    steps: [{ pays: '0.2' }, mined],
    end: { status: 'pending', reason: 'underpaid', held: HELD, due: '0.3' },
  },
  {
    name: 'less, at the expiry, still unconfirmed',
    steps: [{ pays: '0.2' }, 'expires'],
    end: { status: 'processing', reason: 'underpaid', held: '5040' },
  },
  {
    name: 'less, at the expiry: pro rata',
    steps: [{ pays: '0.2' }, mined, 'expires'],
    end: { status: 'completed', reason: 'underpaid', usd: '400', ether: '0.2', base: '4000' },
  },
  {
    name: 'less, at the expiry, worth just the minimum',
    steps: [{ pays: '0.05' }, mined, 'expires'],
    end: { status: 'completed', reason: 'underpaid', usd: '100', ether: '0.05', base: '1000' },
  },
  {
    name: 'less, at the expiry, one unit below the minimum',
    steps: [{ pays: '0.049999999999999999', as: 'little' }, mined, 'expires'],
    end: {
      status: 'failed',
      reason: 'underpaid',
      refunds: { little: '0.049999999999999999 underpaid' },
    },
  },
  {
    name: 'half a percent less counts as paid',
    steps: [{ pays: '0.4975' }, mined],
    end: { ...inFull, ether: '0.4975' },
  },
  {
    name: 'one unit less than that does not',
    steps: [{ pays: '0.497499999999999999' }, mined],
    end: { status: 'pending', reason: 'underpaid', held: HELD, due: '0.002500000000000001' },
  },
  {
    name: 'one unit less than that, at the expiry: pro rata, rounded down',
    steps: [{ pays: '0.497499999999999999' }, mined, 'expires'],
    end: {
      status: 'completed',
      reason: 'underpaid',
      usd: '994.999999',
      ether: '0.497499999999999999',
      base: '9949.99999',
    },
  },
]

const over: Fate[] = [
  {
    name: 'exactly one percent more, at the locked price, however far the coin has fallen',
    steps: [{ ether: '1000' }, { pays: '0.505' }, mined],
    end: { ...inFull, usd: '1010', ether: '0.505', base: '10100' },
  },
  {
    name: 'one unit more than that says overpaid; the unit itself buys nothing',
    steps: [{ pays: '0.505000000000000001' }, mined],
    end: {
      status: 'completed',
      reason: 'overpaid',
      usd: '1010',
      ether: '0.505000000000000001',
      base: '10100',
    },
  },
  {
    name: 'more, at an unchanged market',
    steps: [{ pays: '0.6' }, mined],
    end: { status: 'completed', reason: 'overpaid', usd: '1200', ether: '0.6', base: '12000' },
  },
  {
    name: 'more, when the coin has risen: at the locked price',
    steps: [{ ether: '4000' }, { pays: '0.6' }, mined],
    end: { status: 'completed', reason: 'overpaid', usd: '1200', ether: '0.6', base: '12000' },
  },
  {
    name: 'more, when the coin has fallen: beyond one percent at its new price',
    steps: [{ ether: '1000' }, { pays: '0.6' }, mined],
    end: { status: 'completed', reason: 'overpaid', usd: '1105', ether: '0.6', base: '11050' },
  },
  {
    name: 'more, while the sale is paused: beyond one percent there is no price',
    steps: ['pauses', { pays: '0.6', as: 'much' }, mined, 'resumes'],
    end: {
      status: 'completed',
      reason: 'overpaid',
      usd: '1010',
      ether: '0.505',
      base: '10100',
      refunds: { much: '0.095 overpaid' },
    },
  },
  {
    name: 'twice as much reaches the next tier, for all of it',
    steps: [{ pays: '1' }, mined],
    end: {
      status: 'completed',
      reason: 'overpaid',
      usd: '2000',
      ether: '1',
      base: '20000',
      bonuses: largeBonuses,
    },
  },
  {
    name: 'one unit less than that does not reach it',
    steps: [{ pays: '0.999999999999999999' }, mined],
    end: {
      status: 'completed',
      reason: 'overpaid',
      usd: '1999.999999',
      ether: '0.999999999999999999',
      base: '19999.99999',
    },
  },
  {
    name: 'more than the maximum',
    steps: [{ pays: '3', as: 'fortune' }, mined],
    end: {
      status: 'completed',
      reason: 'overpaid',
      usd: '5000',
      ether: '2.5',
      base: '50000',
      bonuses: largeBonuses,
      refunds: { fortune: '0.5 overpaid' },
    },
  },
  {
    name: 'more than the stage has left',
    sale: { supply: '13_230' },
    steps: [{ pays: '0.6', as: 'much' }, mined],
    end: {
      status: 'completed',
      reason: 'overpaid',
      usd: '1050',
      ether: '0.525',
      base: '10500',
      refunds: { much: '0.075 overpaid' },
    },
  },
  {
    name: 'a second payment after completion, in another block',
    steps: [{ pays: '0.5' }, mined, { pays: '0.1' }, mined],
    end: { status: 'completed', reason: 'overpaid', usd: '1200', ether: '0.6', base: '12000' },
  },
]

const several: Fate[] = [
  {
    name: 'in two parts, one confirmed',
    steps: [{ pays: '0.2' }, mined, { pays: '0.3' }],
    end: { status: 'processing', held: HELD },
  },
  {
    name: 'in two parts',
    steps: [{ pays: '0.2' }, mined, { pays: '0.3' }, mined],
    end: inFull,
  },
  {
    name: 'two outputs of one chain transaction',
    steps: [{ pays: '0.2', as: 'one' }, { pays: '0.3', besides: 'one' }, mined],
    end: inFull,
  },
  {
    name: 'two outputs of the same amount in one chain transaction',
    steps: [{ pays: '0.25', as: 'one' }, { pays: '0.25', besides: 'one' }, mined, 'reports again'],
    end: inFull,
  },
  {
    name: 'two purchases in one chain transaction',
    steps: [
      { buys: 'another', usd: '200' },
      { pays: '0.5', as: 'one' },
      { pays: '0.1', to: 'another', besides: 'one' },
      mined,
      'reports again',
    ],
    end: inFull,
    others: {
      another: {
        status: 'completed',
        usd: '200',
        ether: '0.1',
        base: '2000',
        bonuses: laterBonuses,
      },
    },
  },
]

const hasGrace = { hasGrace: true } as const

/** What a chain that does not show when a payment was sent shows a moment after the expiry. */
const withinGrace: Fate[] = [
  {
    name: 'nothing yet: the tokens are held for what may have been sent in time',
    sale: hasGrace,
    steps: ['expires'],
    end: waiting,
  },
  {
    name: 'nothing by the end of it',
    sale: hasGrace,
    steps: ['expires', 'grace ends'],
    end: { status: 'expired' },
  },
  {
    name: 'exactly, however far the coin has fallen',
    sale: hasGrace,
    steps: [{ ether: '1000' }, 'expires', { pays: '0.5' }, mined],
    end: inFull,
  },
  {
    name: 'exactly, confirmed after it, when all other tokens are sold',
    sale: { hasGrace: true, supply: '25_200' },
    steps: [
      { rivalBuys: '1000', paying: true },
      'expires',
      { pays: '0.5' },
      'grace ends',
      mined,
      'reports again',
    ],
    end: inFull,
  },
  {
    name: 'the rest of what was due',
    sale: hasGrace,
    steps: [{ pays: '0.2' }, mined, 'expires', { pays: '0.3' }, mined],
    end: inFull,
  },
  {
    name: 'less, still short: pro rata once it is over',
    sale: hasGrace,
    steps: ['expires', { pays: '0.2' }, mined, 'grace ends'],
    end: { status: 'completed', reason: 'underpaid', usd: '400', ether: '0.2', base: '4000' },
  },
  {
    name: 'exactly, and after it once more',
    sale: hasGrace,
    steps: ['expires', { pays: '0.5' }, mined, 'grace ends', { pays: '0.1' }, mined],
    end: { status: 'completed', reason: 'overpaid', usd: '1200', ether: '0.6', base: '12000' },
  },
  {
    name: 'after it: late',
    sale: hasGrace,
    steps: ['expires', 'grace ends', { ether: '1000' }, { pays: '0.5' }, mined],
    end: { ...inFull, reason: 'late', usd: '500', base: '5000' },
  },
]

/** What becomes of money that came in time, and if none came. */
export const fatesOnTime = [
  { event: 'unpaid or exact', fates: unpaidAndExact },
  { event: 'underpaid', fates: under },
  { event: 'overpaid', fates: over },
  { event: 'several receipts', fates: several },
  { event: 'within the grace', fates: withinGrace },
]
