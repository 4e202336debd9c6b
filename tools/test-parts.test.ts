import { expect, test } from 'vitest'
import { chooseParts, testParts } from './test-parts.ts'

test('everything runs where nothing is named', () => {
  expect(chooseParts([])).toEqual(testParts)
})

test.each([
  { words: ['--only', 'e2e,unit'], parts: ['unit', 'e2e'] },
  { words: ['--only=house'], parts: ['house'] },
  { words: ['--only', 'api'], parts: ['api-embedded', 'api-postgres'] },
  { words: ['--only', 'unit', 'api-postgres'], parts: ['unit', 'api-postgres'] },
])('$words chooses $parts', ({ words, parts }) => {
  expect(chooseParts(words)).toEqual(parts)
})

test.each([[['unit']], [['--only']], [['--only', 'e3e']], [['--watch']]])(
  '%j is refused',
  (words) => {
    expect(() => chooseParts(words)).toThrow('npm test -- --only <part>')
  },
)
