import { expect, test } from 'vitest'
import { chooseTests, testParts } from './test-parts.ts'

test('everything runs if nothing is named', () => {
  expect(chooseTests([])).toEqual({ parts: testParts, files: [] })
})

test.each([
  { words: ['--only', 'e2e,unit'], parts: ['unit', 'e2e'] },
  { words: ['--only=house'], parts: ['house'] },
  { words: ['--only', 'api'], parts: ['api-embedded', 'api-postgres'] },
  { words: ['--only', 'unit', 'api-postgres'], parts: ['unit', 'api-postgres'] },
])('$words chooses $parts', ({ words, parts }) => {
  expect(chooseTests(words)).toEqual({ parts, files: [] })
})

test('a file that is named runs alone', () => {
  expect(chooseTests(['--only', 'e2e', 'tests/e2e/account/login.test.ts'])).toEqual({
    parts: ['e2e'],
    files: ['tests/e2e/account/login.test.ts'],
  })
})

test.each([
  [['unit']],
  [['--only']],
  [['--only', 'e3e']],
  [['--watch']],
  [['--only', 'a.test.ts']],
])('%j is refused', (words) => {
  expect(() => chooseTests(words)).toThrow('npm test -- --only <part>')
})
