import { describe, expect, test } from 'vitest'
import { writtenOut } from '#tests/kit/fates/fate-end.ts'
import { FateInMemory } from '#tests/kit/fates/fate-in-memory.ts'
import { fatesOnTime } from '#tests/kit/fates/fates-on-time.ts'
import { fatesTroubled } from '#tests/kit/fates/fates-troubled.ts'

describe.each([...fatesOnTime, ...fatesTroubled])('$event', ({ fates }) => {
  test.each(fates)('$name', (fate) => {
    const story = new FateInMemory(fate)
    const ends = { it: fate.end, ...fate.others }

    for (const [name, end] of Object.entries(ends)) {
      expect(story.endOf(name)).toEqual(writtenOut(end))
    }
    story.settleAgain()
    for (const [name, end] of Object.entries(ends)) {
      expect(story.endOf(name)).toEqual(writtenOut(end))
    }
  })
})
