import { ALL } from '#domain/money.ts'
import { reservationBounds } from '#domain/sale/reservation.ts'
import type { SaleChange } from '#domain/sale/changes/sale-changes.ts'
import { gatewayNames, isSandboxSale, type Sale, type Stage } from '#domain/sale/sale.ts'
import { isCodeOfEthereum, isDoubtfulCode } from './sale-file/tokens/gateway-codes.ts'

/** Risks of a sale with real payments, a sentence each; none of them prevents a start. */
export function listSaleWarnings({
  sale,
  countedDates,
  publicUrl,
  changes,
  now,
}: {
  sale: Sale
  /** The paths in the sale file of dates that are durations. */
  countedDates: readonly string[]
  /** Null where it is not set. */
  publicUrl: string | null
  /** What applying it has changed, or would. */
  changes: readonly Pick<SaleChange, 'part' | 'field'>[]
  now: Date
}): string[] {
  if (isSandboxSale(sale)) return []
  const unbounded = sale.stages.filter(
    (stage) => reservationBounds(sale, stage).worthPerUserMax === null,
  )
  return [
    ...(sale.purchases.unpaidShare === ALL
      ? [
          'purchases.unpaid_share is 100, which it is without being set: all that is left of a ' +
            'stage can be reserved by people who never pay. Set it in the sale file, such as to 50',
        ]
      : []),
    ...(unbounded.length > 0
      ? [
          `One account can reserve any amount of ${namesOf(unbounded)} without paying. Set ` +
            'purchases.open_worth_per_user, or max_fiat_amount of each stage, in the sale file',
        ]
      : []),
    ...(sale.accounts.requireVerifiedEmail
      ? []
      : [
          'Buyers need not verify their email address: any number of accounts costs nothing. Set ' +
            'accounts.require_verified_email to true in the sale file',
        ]),
    ...(countedDates.length > 0
      ? [
          `Dates count from when this sale was first applied: ${countedDates.join(', ')}. Set ` +
            'instants, such as 2027-01-10T12:00:00Z, in the sale file, so that everything begins and ' +
            'ends when buyers were told',
        ]
      : []),
    ...dateWarnings(sale, changes, now),
    ...(publicUrl === null
      ? [
          'PUBLIC_URL is not set: mails come from no-reply@localhost, their links lead to localhost, ' +
            "and operators' passkeys are of use only there. Set it to the address that buyers open",
        ]
      : []),
    ...codeWarnings(sale.paymentTokens),
    ...offerWarnings(sale.project),
    ...contactWarnings(sale.project),
  ]
}

/** Dates that may be mistyped; what lies in the past counts only when it is new. */
function dateWarnings(
  { stages, vesting }: Sale,
  changes: readonly Pick<SaleChange, 'part' | 'field'>[],
  now: Date,
): string[] {
  const isFirst = changes.some(({ part, field }) => part === 'sale' && field === null)
  const isNewRelease =
    isFirst || changes.some(({ part, field }) => part === 'sale' && field === 'vesting.starts')
  const over = isFirst ? stages.filter(({ endsAt }) => endsAt !== null && endsAt <= now) : []
  const useless = stages.filter(({ startsAt, endsAt, bonuses: { limitedTime } }) => {
    if (limitedTime === null) return false
    return limitedTime.endsAt <= startsAt || (endsAt !== null && limitedTime.startsAt >= endsAt)
  })
  return [
    ...(isNewRelease && vesting?.startsAt && vesting.startsAt <= now
      ? [
          `Look again at vesting.starts: ${vesting.startsAt.toISOString()} is in the past, so ` +
            'what is released by then is so as soon as it is bought',
        ]
      : []),
    ...(over.length > 0
      ? [
          `Look again at the dates of ${namesOf(over)}: already over, before anything could be ` +
            'bought',
        ]
      : []),
    ...(useless.length > 0
      ? [
          `Look again at bonuses.limited_time of ${namesOf(useless)}: it lies outside the dates of ` +
            'its stage, so it is granted at most where that opens early, when the one before sells out',
        ]
      : []),
  ]
}

const namesOf = (stages: readonly Stage[]) => stages.map(({ name }) => `'${name}'`).join(', ')

/** What a gateway calls a coin is known there alone. */
function codeWarnings(paymentTokens: Sale['paymentTokens']): string[] {
  const coded = paymentTokens.flatMap((token) => {
    const gateway = gatewayNames.find((name) => name === token.rail)
    const code = token.providerIds[token.rail] ?? ''
    return gateway !== undefined && token.isEnabled ? [{ ...token, gateway, code }] : []
  })
  const doubtful = coded.filter(({ gateway, code, symbol }) =>
    isDoubtfulCode(gateway, code, symbol),
  )
  const elsewhere = coded.filter((token) => isCodeOfEthereum(token.gateway, token.code, token))
  return [
    ...(doubtful.length > 0
      ? [
          `Look again at the codes of gateways that are not by the coin's symbol: ` +
            `${codesOf(doubtful)}. If one is that of another coin, buyers pay in that coin at the ` +
            'price of this one',
        ]
      : []),
    ...(elsewhere.length > 0
      ? [
          `Look again at the codes of NOWPayments that name no network: ${codesOf(elsewhere)}. ` +
            'There such a code means the coin on Ethereum, while buyers are told another network',
        ]
      : []),
  ]
}

const codesOf = (tokens: readonly { code: string; symbol: string; chain: string }[]) =>
  tokens.map(({ code, symbol, chain }) => `'${code}' for ${symbol} on ${chain}`).join(', ')

/** The shipped sale file says this of its seller. */
const EXAMPLE = /\bexample/i

/** A buyer has to be able to look up who sells, and to read what can be lost. */
function offerWarnings({ seller, risk }: Sale['project']): string[] {
  const isExample = seller !== null && EXAMPLE.test(`${seller.name} ${seller.place}`)
  return [
    ...(seller === null
      ? ['Nobody can see who sells: project.seller is not set. Set it in the sale file']
      : []),
    ...(isExample
      ? [
          `The seller is still the example '${seller.name}', on pages and on receipts. Set ` +
            'project.seller in the sale file to who sells',
        ]
      : []),
    ...(risk === null
      ? ['Buyers read nothing of what they can lose. Set project.risk in the sale file']
      : []),
  ]
}

/** Where the shipped sale file sends buyers. */
const SHIPPED_SITE = /[/.@]huh\.social\b/

/** Buyers' questions, and reports of weaknesses, have to reach who sells. */
function contactWarnings({ contactEmail, mainSiteUrl, links, papers }: Sale['project']): string[] {
  const addresses = {
    'project.contact_email': [contactEmail ?? ''],
    'project.main_site_url': [mainSiteUrl],
    'project.links.header': Object.values(links.header),
    'project.links.footer': Object.values(links.footer).flatMap(Object.values),
    'project.papers': papers.map(({ url }) => url),
  }
  const shipped = Object.entries(addresses)
    .filter(([, inIt]) => inIt.some((address) => SHIPPED_SITE.test(address)))
    .map(([field]) => field)
  return [
    ...(contactEmail === null
      ? [
          'Buyers have no address to write to: project.contact_email is not set. Set it in the sale ' +
            'file to one that you read',
        ]
      : []),
    ...(shipped.length > 0
      ? [
          `Buyers are sent to huh.social, which the shipped sale file names: ${shipped.join(', ')}. ` +
            'Set your own addresses in the sale file, unless this site is yours',
        ]
      : []),
  ]
}
