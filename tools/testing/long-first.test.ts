import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { projectRoot } from '#tools/project.ts'
import { LONG_FILES } from './long-first.ts'

test('each file that is said to take long is there', () => {
  expect(LONG_FILES.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([])
})
