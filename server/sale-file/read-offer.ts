import { bitcoinChain, knownEvmChain, normalizeChain } from '#domain/chains/chain.ts'
import { ALL, add, formatDecimal, percentage, PERCENTAGE_DECIMALS } from '#domain/money.ts'
import type { Offer, TokenContract } from '#domain/sale/offer.ts'
import { calendarDay } from './document/dates.ts'
import { converted, list, optional, type Reader, required, section } from './document/readers.ts'
import { link, percentUpTo100, text } from './document/values.ts'
import { contract as evmContract } from './tokens/rail-tokens.ts'

const seller = section('a map with name, place and, if there is one, registration', {
  name: required(text(120)),
  place: required(text(120)),
  registration: optional(text(120), null),
})

/** What any EVM chain's addresses look like, whatever the chain is called. */
const EVM_FORM = /^0x[0-9a-f]{40}$/i

/** The address is checked as far as the chain's own rules are known. */
const contract: Reader<TokenContract> = section(
  'a map with chain, address and, if wanted, explorer_url',
  {
    chain: required(converted(text(60), normalizeChain)),
    address: required(text(128)),
    explorer_url: optional(link, null),
  },
  {
    check({ chain, address }, place) {
      if (chain === undefined || address === undefined) return
      const isEvm = knownEvmChain(chain, null) !== null || EVM_FORM.test(address)
      if (isEvm) evmContract.read(place.at('address'))
      if (bitcoinChain(chain) !== null) {
        place.at('chain').mismatch('a chain that knows contracts')
      }
    },
  },
)

const paper = section('a map with title, url and, if wanted, date', {
  title: required(text(120)),
  url: required(link),
  date: optional(calendarDay, null),
})

const question = section('a map with question and answer', {
  question: required(text(200)),
  answer: required(text(2000)),
})

const points = { expected: 'a list of 1 to 12 points', countMin: 1, countMax: 12 }
const risk = section('a map with statement and summary', {
  statement: required(text(300)),
  summary: required(list(() => text(500), points)),
})

const share = section(
  'a map with label and percentage',
  { label: required(text(60)), percentage: required(percentUpTo100) },
  { build: ({ label, percentage }) => ({ label, share: percentage }) },
)

const supply: Reader<Offer['supply']> = converted(
  list(() => share, { expected: 'a list of 1 to 12 shares', countMin: 1, countMax: 12 }),
  (shares, place) => {
    const sum = add(percentage(0n), ...shares.map((part) => part.share))
    if (sum === ALL) return shares
    const found = formatDecimal(sum, PERCENTAGE_DECIMALS)
    return place.fault(`expected shares of exactly 100 % in all, found ${found} %`)
  },
)

/** The fields of the project that tell a buyer what is offered, and by whom. */
export const offerFields = {
  seller: optional(seller, null),
  contract: optional(contract, null),
  papers: optional(
    list(() => paper, { expected: 'a list of at most 20 papers', countMax: 20 }),
    [],
  ),
  questions: optional(
    list(() => question, { expected: 'a list of at most 30 questions', countMax: 30 }),
    [],
  ),
  risk: optional(risk, null),
  supply: optional(supply, []),
}
