import { priceFromWire, unitsFromWire } from '#contract/codec.ts'
import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { Transaction } from '#contract/shapes.ts'
import { WIRE_DECIMALS } from '#web/lib/format/token-amounts.ts'

/** Width and height of the box in which the ladder is drawn. All coordinates are whole numbers. */
export const BOX = 100_000

/** Between two steps; the widths share the rest, so that areas stay comparable. */
export const GAP = 300

/** A smaller step would be invisible. It is drawn this large, and marked as not to scale. */
const LEAST_WIDTH = 2000n
const LEAST_HEIGHT = 2000n

/** One stage in the box: its corners, how far it is sold, and whether it is true to scale. */
export interface LadderStep {
  left: number
  right: number
  /** The height above the bottom at its first token, and at its last. */
  from: number
  to: number
  /** What is sold ends here, between left and right. */
  soldTo: number
  /** False if it is drawn wider or higher than its part of the sale. */
  isToScale: boolean
}

export interface LadderPoint {
  x: number
  /** Above the bottom. */
  y: number
}

/**
 * The steps of the stages from left to right. The area of a step is what its tokens cost, in the
 * same scale for all: width by tokens, height by price from 0. An invisible step takes its minimum
 * width from the others, which keep their proportions.
 */
export function placeSteps(stages: readonly ListedStage[]): LadderStep[] {
  const edges = placeEdges(stages.map(({ total_tokens }) => tokensOf(total_tokens)))
  const prices = stages.flatMap(pricesOf)
  const most = prices.reduce((highest, price) => (price > highest ? price : highest), 1n)
  const heightOf = (price: bigint) => (price * BigInt(BOX)) / most
  return stages.map((stage, index) => {
    const [from, to] = pricesOf(stage).map(heightOf)
    const { left = 0n, right = 0n, isToScale = true } = edges[index] ?? {}
    const lower = from !== undefined && to !== undefined && from < to ? from : (to ?? 0n)
    const sold = { part: tokensOf(stage.sold_tokens), whole: tokensOf(stage.total_tokens) }
    return {
      left: Number(left),
      right: Number(right),
      from: Number(atLeast(from ?? 0n, LEAST_HEIGHT)),
      to: Number(atLeast(to ?? 0n, LEAST_HEIGHT)),
      soldTo: Number(left + partOf(right - left, sold.part, sold.whole)),
      isToScale: isToScale && lower >= LEAST_HEIGHT,
    }
  })
}

function placeEdges(tokens: readonly bigint[]) {
  const gaps = BigInt(GAP) * BigInt(Math.max(0, tokens.length - 1))
  const room = gaps * 2n < BigInt(BOX) ? BigInt(BOX) - gaps : BigInt(BOX)
  const gap = room === BigInt(BOX) ? 0n : BigInt(GAP)
  const least = leastOf(LEAST_WIDTH, room / (2n * BigInt(Math.max(1, tokens.length))))
  const widened = findWidened(tokens, room, least)
  const rest = room - least * BigInt(widened.filter(Boolean).length)
  const whole = sumOf(tokens.filter((_, index) => widened[index] !== true))
  let before = 0n
  let fixed = 0n
  return tokens.map((amount, index) => {
    const isWidened = widened[index] === true
    const left = fixed + partOf(rest, before, whole)
    if (isWidened) fixed += least
    else before += amount
    const right = fixed + partOf(rest, before, whole)
    fixed += gap
    return { left, right, isToScale: !isWidened }
  })
}

/** Which steps would be too narrow. Widening one narrows the others, so this is repeated. */
function findWidened(tokens: readonly bigint[], room: bigint, least: bigint): boolean[] {
  let widened = tokens.map(() => false)
  for (;;) {
    const rest = room - least * BigInt(widened.filter(Boolean).length)
    const whole = sumOf(tokens.filter((_, index) => widened[index] !== true))
    const next = tokens.map(
      (amount, index) => widened[index] === true || amount * rest < least * whole,
    )
    if (next.every((isWidened, index) => isWidened === widened[index])) return widened
    widened = next
  }
}

/** Where the purchase being typed would end; clipped, since no stage sells more than it has. */
export function placeWanted(stage: ListedStage, step: LadderStep, wantedTokens: number): number {
  const end = tokensOf(stage.sold_tokens) + tokensOf(wantedTokens)
  const width = BigInt(step.right - step.left)
  return step.left + Number(partOf(width, end, tokensOf(stage.total_tokens)))
}

/**
 * The places of purchases on the top edges, in the order of `purchases`; none for a purchase
 * without a stage here. On a dynamic stage the price shows which tokens were bought. On a fixed one
 * it does not, so they are spread evenly over the sold part, in the order in which they were made.
 */
export function placePurchases(
  stages: readonly ListedStage[],
  steps: readonly LadderStep[],
  purchases: readonly Transaction[],
): (LadderPoint & { id: string })[] {
  return stages.flatMap((stage, index) => {
    const step = steps[index]
    if (step === undefined) return []
    const own = purchases
      .filter(({ stage_id, status, type }) => {
        return stage_id === stage.id && status === 'completed' && type === 'purchase'
      })
      .toSorted((one, other) => madeAtMs(one) - madeAtMs(other))
    return own.map((purchase, nth) => {
      const x = placeInStage(stage, step, purchase.token_price, { nth, count: own.length })
      return { id: purchase.id, x, y: heightAt(step, x) }
    })
  })
}

function placeInStage(
  stage: ListedStage,
  { left, right, soldTo }: LadderStep,
  tokenPrice: number,
  { nth, count }: { nth: number; count: number },
): number {
  const [first = 0n, last = 0n] = pricesOf(stage)
  if (first === last) {
    return left + Number(partOf(BigInt(soldTo - left), BigInt(nth + 1), BigInt(count + 1)))
  }
  const price = priceFromWire(tokenPrice)
  const [moved, whole] =
    first < last ? [price - first, last - first] : [first - price, first - last]
  return left + Number(partOf(BigInt(right - left), moved, whole))
}

/** The height of a step's top edge at a place within it. */
export function heightAt({ left, right, from, to }: LadderStep, x: number): number {
  return right === left ? from : from + ((to - from) * (x - left)) / (right - left)
}

/** The step at a place, or the nearest one if it is in a gap. */
export function stepAt(steps: readonly LadderStep[], x: number): number {
  const distance = ({ left, right }: LadderStep) => Math.max(left - x, x - right, 0)
  return steps.reduce((nearest, step, index) => {
    const best = steps[nearest]
    return best === undefined || distance(step) < distance(best) ? index : nearest
  }, 0)
}

const tokensOf = (tokens: number): bigint => unitsFromWire(tokens, WIRE_DECIMALS)

function pricesOf({ type, token_price, final_token_price }: ListedStage): bigint[] {
  return [token_price, type === 'fixed' ? token_price : final_token_price].map(priceFromWire)
}

/** When it was paid, which is when it took its tokens. */
const madeAtMs = ({ completed_date, created_date }: Transaction): number =>
  new Date(completed_date ?? created_date).getTime()

/** `length × part ÷ whole`, rounded down, and never outside of the length. */
function partOf(length: bigint, part: bigint, whole: bigint): bigint {
  if (whole <= 0n || part <= 0n) return 0n
  return part >= whole ? length : (length * part) / whole
}

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)
const atLeast = (value: bigint, least: bigint) => (value < least ? least : value)
const leastOf = (one: bigint, other: bigint) => (one < other ? one : other)
