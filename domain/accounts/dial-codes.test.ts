import { getCountries, getCountryCallingCode } from 'libphonenumber-js'
import { expect, test } from 'vitest'

/**
 * The table as the library has it. If the library changes, this test fails; `vitest -u` rewrites
 * the table.
 */
function dialCodesSource(): string {
  const entries = getCountries().map((code) => `${code}${getCountryCallingCode(code)}`)
  const lines: string[] = []
  for (const entry of entries.toSorted()) {
    const line = lines.at(-1)
    if (line === undefined || line.length + entry.length > 90) lines.push(entry)
    else lines[lines.length - 1] = `${line} ${entry}`
  }
  return [
    '/**',
    ' * Each country with its dial code, written by `dial-codes.test.ts` from libphonenumber-js, whose',
    ' * own table would cost the page thirty times as much.',
    ' */',
    'export const dialCodes = `',
    ...lines,
    '`',
    '',
  ].join('\n')
}

test('the table of dial codes is that of libphonenumber-js', async () => {
  await expect(dialCodesSource()).toMatchFileSnapshot('./dial-codes.ts')
})
