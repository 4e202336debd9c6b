import { describe, expect, test } from 'vitest'
import { type Cursor, formatCursor, markOf, parseCursor, thinMarks } from './cursor.ts'

const hashAt = (height: bigint) => `0x${height.toString(16).padStart(64, '0')}`

describe('how far a chain has been read', () => {
  test('is known by a hundred blocks or so, of however many', () => {
    let marks: Cursor['marks'] = []
    for (let height = 0n; height < 40_000n; height += 1n) {
      marks = thinMarks([...marks, markOf({ height, hash: hashAt(height) })], height + 1n)
    }
    expect(marks.length).toBeLessThan(140)
    const heights = marks.map(({ height }) => Number(height))
    expect(heights[0]).toBe(0)
    expect(heights.slice(-64)).toEqual(Array.from({ length: 64 }, (_, place) => 39_936 + place))
    // Wherever two chains part, there is a mark whose distance is in proportion to how far back
    // that is.
    for (const [place, height] of heights.entries()) {
      const next = heights[place + 1] ?? 40_000
      expect(next - height).toBeLessThanOrEqual(Math.max(1, (40_000 - height) / 2))
    }
  })

  test('is read as it was written', () => {
    const tip = { height: 9n, hash: hashAt(9n), time: new Date('2026-01-02T03:04:05Z') }
    const marks = [markOf({ height: 7n, hash: hashAt(7n) })]
    for (const incompleteSince of [null, new Date('2026-01-02T03:00:00Z')]) {
      const cursor = { tip, marks, incompleteSince, changes: 2 }
      expect(parseCursor(formatCursor(cursor))).toEqual(cursor)
    }
  })
})
