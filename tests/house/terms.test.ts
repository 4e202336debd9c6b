import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TERMS_DATE } from '#domain/sale/terms.ts'
import { projectRoot } from '#tools/project.ts'
import { legal as german } from '#web/messages/de/legal.ts'
import { legal as english, type LegalProject } from '#web/messages/en/legal.ts'

/** The fingerprint of each version, by its day. */
const recorded = JSON.parse(
  readFileSync(join(projectRoot, 'tests', 'house', 'terms.json'), 'utf8'),
) as Record<string, string>

/** Projects that together show every sentence. */
const plain: LegalProject = {
  name: 'Example',
  seller: null,
  symbol: 'EX',
  frontend_url: 'https://sale.example.com',
  main_site_url: 'https://example.com',
  contact_email: 'contact@example.com',
  processors: [{ name: 'A host', purpose: 'keeps the servers' }],
  payment_tokens: [],
  delivery: null,
  is_sandbox: false,
}
const projects: LegalProject[] = [
  plain,
  { ...plain, contact_email: null, processors: [] },
  {
    ...plain,
    seller: { name: 'Example Ltd', place: 'Dublin, Ireland', registration: null },
    is_sandbox: true,
    delivery: { chain: 'ERC20', chain_id: 1 },
    payment_tokens: [
      {
        id: 'eth',
        name: 'Ethereum',
        short_name: 'ETH',
        chain: 'ERC20',
        decimals: 18,
        min_amount_fiat: 10,
        payment_provider_ids: { nowpayments: 'eth' },
        price_from: 'feeds' as const,
        test_network: null,
      },
    ],
  },
]

function fingerprint(): string {
  const texts = [english, german].flatMap(({ termsSections, privacySections }) =>
    projects.map((project) => [termsSections(project), privacySections(project)]),
  )
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex')
}

test('the terms and the privacy policy are those of the day that stands over them', () => {
  const change =
    'The text has changed: give TERMS_DATE the day of the new version, and add that day with the ' +
    'new fingerprint to tests/house/terms.json. What stands there for an earlier day stays.'
  expect(recorded[TERMS_DATE], change).toBe(fingerprint())
})

test('the day is that of the newest version', () => {
  expect(Object.keys(recorded).toSorted().at(-1)).toBe(TERMS_DATE)
  expect(new Date(TERMS_DATE).toISOString().slice(0, 10)).toBe(TERMS_DATE)
})
