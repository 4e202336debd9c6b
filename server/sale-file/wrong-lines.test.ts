import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { changeLine } from '#tests/kit/builders/small-sale-file.ts'
import { readSaleText } from './read-sale-file.ts'

const FIRST_APPLIED_AT = new Date('2026-01-01T00:00:00Z')

/** The faults as `line path: message`. */
function faultsOf(text: string): string[] {
  const reading = readSaleText(text, { folder: tmpdir(), firstAppliedAt: FIRST_APPLIED_AT })
  if (reading.ok) return []
  return reading.faults.map(({ line, path, message }) => `${line} ${path}: ${message}`)
}

/**
 * After `-` the start of the changed line, after `+` its new text, and after `!` each fault that
 * follows; of a fault with … only a part.
 */
const wrongLines = String.raw`
# Keys
-  name: Pear
+  nam: Pear
!2 project.nam: expected one of the keys name, symbol, decimals, main_site_url, tagline, launch_notice, copyright_year, links, contact_email, processors, pictures, info, seller, contract, papers, questions, risk, supply, found "nam"
!2 project.name: expected text of 1 to 60 characters, found nothing
-  name: Pear
+  name: Pear
+  name: Apple
!3 project.name: expected each key once, found it again
-  tagline: Sweet
+  tagline: Sweet
+  <<: { name: Apple }
!7 project.<<: expected one of the keys…
-  tagline: Sweet
+  tagline: Sweet
+  ? [a]
+  : b
!7 project.?: expected one of the keys…
# Types
-  name: Pear
+  name: [Pear]
!2 project.name: expected text of 1 to 60 characters, found a list
-  name: Pear
+  name: ""
!2 project.name: expected text of 1 to 60 characters, found ""
-  name: Pear
+  name: "Pe\u202Ear"
!2 project.name: expected text of 1 to 60 characters…
-  decimals: 6
+  decimals: 37
!4 project.decimals: expected a whole number from 0 to 36, found "37"
-  decimals: 6
+  decimals: 6.0
!4 project.decimals: expected a whole number from 0 to 36, found "6.0"
-  main_site_url:
+  main_site_url: http://pear.example
!5 project.main_site_url: expected a link that begins with https://…
-  main_site_url:
+  main_site_url: javascript:alert(1)
!5 project.main_site_url: expected a link that begins with https://…
-  links:
+  links: { header: { Docs: pear.example }, footer: [] }
!9 project.links.header.Docs: expected a link…
!9 project.links.footer: expected a map of groups…
-    name: Ether
+    name: *ether
!12 payment_tokens[0].name: expected text of 1 to 60 characters, found *ether without an anchor of that name above it
-  name: Pear
+  name: "Pear \uD800"
!2 project.name: expected text of 1 to 60 characters…
# Payment tokens
-  - id: eth
+  - id: e/th
!11 payment_tokens[0].id: expected a name of 1 to 64 letters, digits, hyphens, underscores and full stops, found "e/th"
-    fixed_price: 2500
+
!11 payment_tokens[0].fixed_price: expected a price in dollars: a plain decimal, more than 0, with at most 12 digits and 12 decimals, which the sandbox starts from, found nothing
-    payment_provider_ids:
+    payment_provider_ids: {}
!18 payment_tokens[0].payment_provider_ids: expected a map of rails (sandbox, evm, utxo, nowpayments, btcpay) to the token’s name there, found an empty map
-    payment_provider_ids:
+    payment_provider_ids: { paypal: eth }
!18 payment_tokens[0].payment_provider_ids.paypal: expected one of sandbox, evm, utxo, nowpayments, btcpay, found "paypal"
-    payment_provider_ids:
+    payment_provider_ids: { evm: eth }
!11 payment_tokens[0].chain_id: expected the id of the chain, which the rail evm needs, found nothing
-    decimals: 18
+    decimals: 1
!15 payment_tokens[0].decimals: expected 2 or more, since what is due is rounded up to the last decimal, found "1"
-    decimals: 18
+    decimals: 18
+    contract: 0x12
!16 payment_tokens[0].contract: expected a contract’s address: 0x and 40 hexadecimal digits, each letter in its right case, found "0x12"
# Amounts
-    token_price: 0.5
+    token_price: 0
!22 stages[0].token_price: expected a price in dollars: a plain decimal, more than 0, with at most 12 digits and 12 decimals, found "0"
-    token_price: 0.5
+    token_price: 5e-1
!22 stages[0].token_price: expected a price in dollars: a plain decimal, more than 0, with at most 12 digits and 12 decimals, found "5e-1"
-    token_price: 0.5
+    token_price: 0.1234567890123
!22 stages[0].token_price: expected a price in dollars: a plain decimal, more than 0, with at most 12 digits and 12 decimals, found "0.1234567890123"
-    token_price: 0.5
+    token_price: -1
!22 stages[0].token_price: expected a price in dollars: a plain decimal, more than 0, with at most 12 digits and 12 decimals, found "-1"
-    token_price: 0.5
+    token_price: .nan
!22 stages[0].token_price: expected a price in dollars: a plain decimal, more than 0, with at most 12 digits and 12 decimals, found ".nan"
-    total_tokens: 1000
+    total_tokens: 0.0000001
!23 stages[0].total_tokens: expected an amount of tokens: a plain decimal, more than 0, with at most 18 digits and 6 decimals, found "0.0000001"
-    total_tokens: 1000
+    total_tokens: 1_000
!23 stages[0].total_tokens: expected an amount of tokens…
-    end_date: P30D
+    bonuses: { base_percentage: 1.23456 }
!25 stages[0].bonuses.base_percentage: expected a percentage: a plain decimal, 0 or more, with at most 4 digits and 4 decimals, found "1.23456"
-    end_date: P30D
+    min_fiat_amount: 20
+    max_fiat_amount: 10
!26 stages[0].max_fiat_amount: expected an amount not below min_fiat_amount, found "10"
# Dates and stages
-    start_date: P0D
+    start_date: 2026-01-01
!expected a date: an instant with its zone such as…
-    start_date: P0D
+    start_date: 2026-02-30T00:00:00Z
!expected a date: an instant with its zone such as…
-    start_date: P0D
+    start_date: P1M
!expected a date: an instant with its zone such as…
-    end_date: P30D
+    end_date: P0D
!25 stages[0].end_date: expected a date after the start, which is 2026-01-01T00:00:00.000Z, found "P0D"
-    start_date: P30D
+    start_date: P29D
!31 stages[1].start_date: expected a date not before 2026-01-31T00:00:00.000Z, when the stage above ends, found "P29D"
-  - name: Second
+  - name: First
!26 stages[1].name: expected a name of its own, found First again
-    type: fixed
+    type: fixed
+    final_token_price: 1
!22 stages[0].final_token_price: expected nothing, since a fixed stage keeps its token_price, found "1"
-    type: fixed
+    type: flat
!21 stages[0].type: expected one of fixed, dynamic, found "flat"
-    final_token_price: 1.25
+
!26 stages[1].final_token_price: expected the price at the end of a dynamic stage, found nothing
-    final_token_price: 1.25
+    final_token_price: 0.7
!29 stages[1].final_token_price: expected a price not below token_price, found "0.7"
# Bonuses
-    end_date: P30D
+    bonuses:
+      tiered_fiat:
+        - { amount: 100, percentage: 1 }
+        - { amount: 100, percentage: 2 }
!28 stages[0].bonuses.tiered_fiat[1].amount: expected more than 100, the tier above, found "100"
-    end_date: P30D
+    bonuses:
+      payment_tokens:
+        - { token_id: btc, percentage: 1 }
+        - { token_id: eth, percentage: 2 }
+        - { token_id: eth, percentage: 2 }
!27 stages[0].bonuses.payment_tokens[0].token_id: expected the id of a payment token (eth), found "btc"
!29 stages[0].bonuses.payment_tokens[2].token_id: expected a payment token of its own, found eth again
-    end_date: P30D
+    bonuses: { limited_time: { start_date: P2D, end_date: P1D, percentage: 5 } }
!25 stages[0].bonuses.limited_time.end_date: expected a date after the start, which is 2026-01-03T00:00:00.000Z, found "P1D"
-    end_date: P30D
+    bonuses: { referrals: { earn: 5 } }
!25 stages[0].bonuses.referrals.spend: expected an amount in dollars: a plain decimal, 0 or more, with at most 12 digits and 6 decimals, found nothing
# Settings
-stages:
+accounts: { require_verified_email: yes }
+stages:
!19 accounts.require_verified_email: expected true or false, found "yes"
-stages:
+purchases: { open_per_user: 0 }
+stages:
!19 purchases.open_per_user: expected a whole number from 1 to 1000, found "0"
-stages:
+purchases: { unpaid_share: 0 }
+stages:
!19 purchases.unpaid_share: expected a percentage above 0 and up to 100, found "0"
-stages:
+purchases: { unpaid_share: 100.5 }
+stages:
!19 purchases.unpaid_share: expected a percentage above 0 and up to 100, found "100.5"
-stages:
+purchases: { open_worth_per_user: 0 }
+stages:
!19 purchases.open_worth_per_user: expected an amount in dollars…
-stages:
+final_price: free
+stages:
!19 final_price: expected a price in dollars: a plain decimal, more than 0, with at most 12 digits and 12 decimals, found "free"
# Banners
-stages:
+banners: [{ id: a, message: Hi, tone: loud }]
+stages:
!19 banners[0].tone: expected one of info, success, warning, found "loud"
-stages:
+banners: [{ id: a, message: Hi, tone: info, link_url: //evil.example, link_label: Go }]
+stages:
!19 banners[0].link_url: expected a link that begins with https://, or a page of the site that begins with /, found "//evil.example"
-stages:
+banners: [{ id: a, message: Hi, tone: info, link_url: /info }]
+stages:
!19 banners[0].link_label: expected the words of the link, found nothing
-stages:
+banners: [{ id: a, message: Hi, tone: info, while: OVER }]
+stages:
!19 banners[0].while: expected one of NOT_STARTED, ACTIVE, PAUSED, ENDED, found "OVER"
-stages:
+banners: [{ id: a, message: Hi, tone: info, while: [] }]
+stages:
!19 banners[0].while: expected a list of 1 to 4 statuses, found 0 entries
-stages:
+banners: [{ id: a, message: Hi, tone: info, while: [ACTIVE, ACTIVE, over] }]
+stages:
!19 banners[0].while[1]: expected a status of its own, found ACTIVE again
!19 banners[0].while[2]: expected one of NOT_STARTED, ACTIVE, PAUSED, ENDED, found "over"
# Vesting
-stages:
+vesting: { first_percentage: 1 }
+stages:
!19 vesting.months: expected a whole number from 0 to 120, found nothing
-stages:
+vesting: { first_percentage: 1, months: 121 }
+stages:
!19 vesting.months: expected a whole number from 0 to 120, found "121"
-stages:
+vesting: { first_percentage: 100.0001, months: 5 }
+stages:
!19 vesting.first_percentage: expected a percentage from 0 to 100, found "100.0001"
-stages:
+vesting: { first_percentage: 99, months: 0 }
+stages:
!19 vesting.months: expected 1 or more months, since less than 100 % is released first, found "0"
-stages:
+vesting: { first_percentage: 100, months: 5 }
+stages:
!19 vesting.months: expected 0, since all is released first, found "5"
-stages:
+vesting: { starts: soon, first_percentage: 1, months: 5 }
+stages:
!19 vesting.starts: expected a date: an instant…
-stages:
+vesting: { first_percentage: 1, months: 5, cliff: 3 }
+stages:
!19 vesting.cliff: expected one of the keys starts, first_percentage, months, cliff_months, cliff_percentage, tranches, found "cliff"
-stages:
+vesting: { first_percentage: 1, months: 5, cliff_months: 3 }
+stages:
!19 vesting.cliff_percentage: expected a percentage from 0 to 100 (of the cliff), found nothing
-stages:
+vesting: { first_percentage: 1, months: 5, cliff_percentage: 3 }
+stages:
!19 vesting.cliff_months: expected a whole number from 1 to 120 (of the cliff), found nothing
-stages:
+vesting: { first_percentage: 10, months: 5, cliff_months: 6, cliff_percentage: 3 }
+stages:
!19 vesting.cliff_months: expected 5 at most, the month of the last release, found "6"
-stages:
+vesting: { first_percentage: 10, months: 5, cliff_months: 2, cliff_percentage: 90.0001 }
+stages:
!19 vesting.cliff_percentage: expected 90 at most, which first_percentage leaves, found "90.0001"
-stages:
+vesting: { first_percentage: 10, months: 5, cliff_months: 2, cliff_percentage: 90 }
+stages:
!19 vesting.months: expected 2, since all is released by the cliff, found "5"
-stages:
+vesting: { first_percentage: 10, months: 2, cliff_months: 2, cliff_percentage: 20 }
+stages:
!19 vesting.months: expected 3 or more months, since less than 100 % is released by the cliff, found "2"
-stages:
+vesting: { months: 5, tranches: [{ months: 0, percentage: 100 }] }
+stages:
!19 vesting.months: expected nothing, since tranches says how tokens are released, found "5"
-stages:
+vesting: { tranches: [{ months: 0, percentage: 50 }, { months: 1, percentage: 49.9999 }] }
+stages:
!19 vesting.tranches: expected percentages of exactly 100 % in all, found 99.9999 %
-stages:
+vesting: { tranches: [{ months: 3, percentage: 50 }, { months: 3, percentage: 50 }] }
+stages:
!19 vesting.tranches[1].months: expected more than 3, the months of the tranche above, found "3"
-stages:
+vesting: { tranches: [{ months: 0, percentage: 0 }, { months: 121, percentage: 100 }] }
+stages:
!19 vesting.tranches[0].percentage: expected a percentage of more than 0, found "0"
!19 vesting.tranches[1].months: expected a whole number from 0 to 120, found "121"
-stages:
+vesting: { tranches: [] }
+stages:
!19 vesting.tranches: expected a list of 1 to 121 tranches, found 0 entries
-stages:
+vesting: soon
+stages:
!19 vesting: expected a map with first_percentage and months, or with tranches, and, once it is set, starts, found "soon"
-    type: fixed
+    type: fixed
+    vesting: { starts: P1D, first_percentage: 100, months: 0 }
!1 vesting: expected how all other tokens are released…
!22 stages[0].vesting.starts: expected one of the keys first_percentage, months, cliff_months, cliff_percentage, tranches, found "starts"
-    type: fixed
+    type: fixed
+    vesting: { first_percentage: 100, months: 0 }
!1 vesting: expected how all other tokens are released, since stages[0] has a vesting of its own, found nothing
# Delivery
-stages:
+delivery: { chain: BSC }
+stages:
!19 delivery.chain_id: expected a whole number from 1 to 9007199254740991, found nothing
-stages:
+delivery: { chain_id: 56 }
+stages:
!19 delivery.chain: expected text of 1 to 60 characters, found nothing
-stages:
+delivery: { chain: bep-20, chain_id: 1 }
+stages:
!19 delivery.chain_id: expected 56, the id of the chain BSC, found "1"
-stages:
+delivery: { chain: BNB Smart Chain, chain_id: 1 }
+stages:
!19 delivery.chain_id: expected 56, the id of the chain BNB Smart Chain, found "1"
-stages:
+delivery: { chain: Ethereum, chain_id: 11155111 }
+stages:
!19 delivery.chain_id: expected 1, the id of the chain ERC20, found "11155111"
-stages:
+delivery: { chain: My chain, chain_id: 0 }
+stages:
!19 delivery.chain_id: expected a whole number from 1 to 9007199254740991, found "0"
-stages:
+delivery: { chain: BSC, chain_id: 56, decimals: 37 }
+stages:
!19 delivery.decimals: expected a whole number from 0 to 36, found "37"
-stages:
+delivery: { chain: BSC, chain_id: 56, treasury: "0xdAC17F958D2ee523a2206206994597C13D831eC7" }
+stages:
!19 delivery.treasury: expected…
-stages:
+delivery: { chain: BSC, chain_id: 56, contract: none }
+stages:
!19 delivery.contract: expected one of the keys chain, chain_id, decimals, treasury, found "contract"
-  links:
+  links: { header: {}, footer: {} }
+  contract: { chain: ERC20, address: "0xdAC17F958D2ee523a2206206994597C13D831ec7" }
+delivery: { chain: BSC, chain_id: 56 }
!11 delivery.chain: expected ERC20, the chain of the project's contract, found "BSC"
# Translations
-stages:
+translations: { en: { Sweet: Sweet } }
+stages:
!19 translations.en: expected one of de, found "en"
-stages:
+translations: { de: { Sweet: Süß, Sour: Sauer } }
+stages:
!19 translations.de.Sour: expected a text of this sale file, word for word, found "Sour"
-stages:
+translations:
+  de:
+    Sweet: Süß
+    Sweet: Lieblich
+    Soon:
+stages:
!22 translations.de.Sweet: expected each key once, found it again
!translations.de.Soon: expected text of 1 to 2000 characters, found nothing…
# YAML
-  name: Pear
+  name: !text Pear
!2 : expected a value without a tag, found one that begins with !
-stages:
+---
+stages:
!19 : expected one document, found another after ---
-  tagline: Sweet
+  tagline: Sweet: tart
!6 : expected correct YAML, found a fault: Nested mappings are not allowed in compact mappings
`

const textAfter = (mark: string, lines: readonly string[]) =>
  lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1))

const cases = wrongLines
  .split(/\n(?=-)/)
  .slice(1)
  .map((text) => {
    const lines = text.split('\n')
    const [lineStart = ''] = textAfter('-', lines)
    const faults = textAfter('!', lines).map(asExpected)
    return { lineStart, text: textAfter('+', lines).join('\n'), faults }
  })

function asExpected(fault: string): unknown {
  return fault.endsWith('…') ? expect.stringContaining(fault.slice(0, -1)) : fault
}

it.each(cases)('a wrong line: $lineStart → $text', ({ lineStart, text, faults }) => {
  expect(faultsOf(changeLine(lineStart, text))).toEqual(faults)
})

it('a line that begins with a tab is no YAML', () => {
  expect(faultsOf(changeLine('  tagline: Sweet', '\ttagline: Sweet'))).toContain(
    '6 : expected correct YAML, found a fault: Tabs are not allowed as indentation',
  )
})
