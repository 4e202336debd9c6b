import { chmod } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'

import { isNotOursToChange } from './private-folder.ts'

const faultOf = (code: string) => Object.assign(new Error(code), { code })

describe('a mode that cannot be set', () => {
  test.each(['EPERM', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP'])(
    'keeps no start from going on where that is not up to this program (%s)',
    (code) => {
      expect(isNotOursToChange(faultOf(code))).toBe(true)
    },
  )

  test.each(['EIO', 'EACCES', 'ENOENT'])('ends the start for any other reason (%s)', (code) => {
    expect(isNotOursToChange(faultOf(code))).toBe(false)
  })

  test('ends the start if there is nothing whose mode could be set', async () => {
    const fault = await chmod('/nowhere/at/all', 0o600).catch((thrown: unknown) => thrown)
    expect(isNotOursToChange(fault)).toBe(false)
    expect(isNotOursToChange('EPERM')).toBe(false)
  })
})
