import { formatNumber } from '#web/lib/format/format.ts'
import { percentSign } from '#web/lib/format/token-amounts.ts'

export interface PricePoint {
  /** Milliseconds since 1970. */
  at: number
  price: number
}

/** The number of equal parts of the y-axis. */
export const TICKS = 2

/** The wire's points in the order of their dates. */
export function sortPoints(points: readonly { date: string; price: number }[]): PricePoint[] {
  return points
    .map(({ date, price }) => ({ at: new Date(date).getTime(), price }))
    .toSorted((a, b) => a.at - b.at)
}

/**
 * Places of the points in a unit square: x by time from the left, y by price from 0 at the bottom.
 */
export function placePoints(points: readonly PricePoint[]): { x: number; y: number }[] {
  const first = points[0]?.at ?? 0
  const span = (points.at(-1)?.at ?? 0) - first
  const most = highestPrice(points)
  return points.map(({ at, price }) => ({
    x: span === 0 ? 1 : (at - first) / span,
    y: most === 0 ? 0 : price / most,
  }))
}

/** The corners of the line through them: each price holds until the next one, at an instant. */
export function lineCorners(places: readonly { x: number; y: number }[]) {
  return places.flatMap((place, index) => {
    const before = places[index - 1]
    return before === undefined ? [place] : [{ x: place.x, y: before.y }, place]
  })
}

export function highestPrice(points: readonly PricePoint[]): number {
  return points.reduce((most, { price }) => Math.max(most, price), 0)
}

/** Prices within a thousandth of each other draw a level line. */
export const LEVEL_PART = 0.001
/** A smaller change would be written as 0%. */
export const UNMOVED_PART = 0.00005

/** Whether all prices are within this part of the highest. */
export function areWithin(points: readonly PricePoint[], part: number): boolean {
  const most = highestPrice(points)
  return points.every(({ price }) => most - price <= most * part)
}

const CHANGE_DECIMALS = 2

/**
 * How the price moved from the first point to the last, such as `+3.5%`; null if the first is zero.
 */
export function changeText(points: readonly PricePoint[]): string | null {
  const first = points[0]?.price ?? 0
  const last = points.at(-1)?.price ?? 0
  if (first === 0) return null
  const percent = Number((((last - first) / first) * 100).toFixed(CHANGE_DECIMALS))
  return `${percent < 0 ? '−' : '+'}${formatNumber(Math.abs(percent))}${percentSign()}`
}

const TICK_DIGITS = 4

/** The prices along the y-axis, from the highest to 0, at equal distances, each of few digits. */
export function priceTicks(points: readonly PricePoint[]): number[] {
  const most = highestPrice(points)
  const ticks = Array.from({ length: TICKS + 1 }, (_, tick) => (most * (TICKS - tick)) / TICKS)
  return ticks.map((price) => Number(price.toPrecision(TICK_DIGITS)))
}

/** The point nearest to a place from 0 at the left to 1 at the right. */
export function nearestPoint(places: readonly { x: number }[], x: number): number {
  let nearest = 0
  places.forEach((place, index) => {
    const distance = Math.abs(place.x - x)
    if (distance < Math.abs((places[nearest]?.x ?? 0) - x)) nearest = index
  })
  return nearest
}
