import { expect, it } from 'vitest'
import {
  changeText,
  areWithin,
  lineCorners,
  LEVEL_PART,
  UNMOVED_PART,
  nearestPoint,
  placePoints,
  priceTicks,
  sortPoints,
} from './chart-scale.ts'

const points = sortPoints([
  { date: '2030-01-01T12:00:00Z', price: 0.0002 },
  { date: '2030-01-01T00:00:00Z', price: 0.0001 },
  { date: '2030-01-02T00:00:00Z', price: 0.0004 },
])

it('puts the points in the order of their dates', () => {
  expect(points.map(({ price }) => price)).toEqual([0.0001, 0.0002, 0.0004])
})

it('places them by time, and by price from 0 to the highest', () => {
  expect(placePoints(points)).toEqual([
    { x: 0, y: 0.25 },
    { x: 0.5, y: 0.5 },
    { x: 1, y: 1 },
  ])
  expect(placePoints(points.slice(0, 1))).toEqual([{ x: 1, y: 1 }])
  expect(placePoints([{ at: 0, price: 0 }])).toEqual([{ x: 1, y: 0 }])
})

it('draws a price as level until the instant at which the next one applies', () => {
  expect(lineCorners(placePoints(points))).toEqual([
    { x: 0, y: 0.25 },
    { x: 0.5, y: 0.25 },
    { x: 0.5, y: 0.5 },
    { x: 1, y: 0.5 },
    { x: 1, y: 1 },
  ])
})

it('has prices along the axis from the highest down to 0, of four digits at most', () => {
  expect(priceTicks(points)).toEqual([0.0004, 0.0002, 0])
  expect(priceTicks([{ at: 0, price: 0.0001000004 }])).toEqual([0.0001, 0.00005, 0])
})

it('finds the point nearest to the pointer', () => {
  const places = placePoints(points)
  expect([-1, 0.2, 0.3, 0.74, 0.76, 2].map((x) => nearestPoint(places, x))).toEqual([
    0, 0, 1, 1, 2, 2,
  ])
})

const at = (...prices: number[]) => prices.map((price, index) => ({ at: index, price }))

it('draws prices within a thousandth of each other as a level line', () => {
  expect(areWithin(at(0.0001), LEVEL_PART)).toBe(true)
  expect(areWithin(at(1, 0.9995, 1), LEVEL_PART)).toBe(true)
  expect(areWithin(at(1, 0.998, 1), LEVEL_PART)).toBe(false)
})

it('calls a price unmoved only if its change would be written as 0%', () => {
  expect(areWithin(at(1, 1.00004), UNMOVED_PART)).toBe(true)
  expect(changeText(at(1, 1.00004))).toBe('+0%')
  expect(areWithin(at(1, 1.0006), UNMOVED_PART)).toBe(false)
})

it('writes how the price moved from the first point to the last', () => {
  expect(changeText(at(0.5, 0.9, 0.75))).toBe('+50%')
  expect(changeText(at(0.0003, 0.0002))).toBe('−33.33%')
  expect(changeText(at(2, 2))).toBe('+0%')
  expect(changeText(at(0, 2))).toBeNull()
})
