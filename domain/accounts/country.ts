import { dialCodes } from './dial-codes.ts'

const codes: ReadonlySet<string> = new Set(
  dialCodes
    .trim()
    .split(/\s+/)
    .map((entry) => entry.slice(0, 2)),
)

/** Whether a text is the ISO 3166-1 alpha-2 code of a country whose people can be telephoned. */
export function isCountryCode(text: string): boolean {
  return codes.has(text)
}
