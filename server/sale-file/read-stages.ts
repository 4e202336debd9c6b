import { type Stage, stageTypes } from '#domain/sale/sale.ts'
import { endsAfterStart } from './document/dates.ts'
import type { Place } from './document/place.ts'
import { NO_BONUSES, stageBonuses } from './read-bonuses.ts'
import { stageVesting } from './read-vesting.ts'
import { list, optional, type Reader, required, section, unique } from './document/readers.ts'
import { dollars, oneOf, someDollars, text, tokens, unitPrice } from './document/values.ts'

export type StageContext = {
  when: Reader<Date>
  /** Of the project's token. */
  decimals: number
  paymentTokenIds: ReadonlySet<string>
}

export function stages(context: StageContext): Reader<readonly Stage[]> {
  const parts = list(() => stagePart(context), {
    expected: 'a list of 1 to 100 stages',
    countMin: 1,
    countMax: 100,
  })
  return {
    expected: parts.expected,
    read: (place) =>
      parts.read(place)?.map((stage, index) => ({ id: `stage-${index + 1}`, ...stage })),
  }
}

function stagePart(context: StageContext): Reader<Omit<Stage, 'id'>> {
  const hasNameOfItsOwn = unique('a name')
  const followsTheOneAbove = inOrder()
  return section(
    'a map of the stage’s fields',
    {
      name: required(text(60)),
      type: required(oneOf(...stageTypes)),
      token_price: required(unitPrice),
      final_token_price: optional(unitPrice, null),
      total_tokens: required(tokens(context.decimals)),
      start_date: required(context.when),
      end_date: optional(context.when, null),
      min_fiat_amount: optional(dollars, null),
      max_fiat_amount: optional(someDollars, null),
      bonuses: optional(stageBonuses(context.when, context.paymentTokenIds), NO_BONUSES),
      vesting: optional(stageVesting, null),
    },
    {
      check(stage, place) {
        hasNameOfItsOwn(stage.name, place.at('name'))
        checkFinalPrice(stage, place.at('final_token_price'))
        endsAfterStart(stage.start_date, stage.end_date, place.at('end_date'))
        followsTheOneAbove(stage, place.at('start_date'))
        const { min_fiat_amount: min, max_fiat_amount: max } = stage
        if (min && max && max < min) {
          place.at('max_fiat_amount').mismatch('an amount not below min_fiat_amount')
        }
      },
      build: (stage) => ({
        name: stage.name,
        type: stage.type,
        tokenPrice: stage.token_price,
        finalTokenPrice: stage.final_token_price ?? stage.token_price,
        supply: stage.total_tokens,
        tokenDecimals: context.decimals,
        startsAt: stage.start_date,
        endsAt: stage.end_date,
        minUsd: stage.min_fiat_amount,
        maxUsd: stage.max_fiat_amount,
        bonuses: stage.bonuses,
        vesting: stage.vesting,
      }),
    },
  )
}

type Prices = {
  type: Stage['type'] | undefined
  token_price: bigint | undefined
  final_token_price: bigint | null | undefined
}

function checkFinalPrice(stage: Prices, place: Place): void {
  const { type, token_price: opening, final_token_price: closing } = stage
  if (type === undefined || closing === undefined) return
  if (type === 'fixed' && closing !== null) {
    place.mismatch('nothing, since a fixed stage keeps its token_price')
  }
  if (type === 'dynamic' && closing === null) {
    place.mismatch('the price at the end of a dynamic stage')
  }
  if (type === 'dynamic' && closing !== null && opening !== undefined && closing < opening) {
    place.mismatch('a price not below token_price')
  }
}

type Span = { start_date: Date | undefined; end_date: Date | null | undefined }

/** A stage may not start before the previous one ends, or before it has started. */
function inOrder() {
  let above: Span | undefined
  return (stage: Span, place: Place) => {
    const earliest = above?.end_date ?? above?.start_date
    const event = above?.end_date ? 'ends' : 'starts'
    above = stage
    if (!earliest || !stage.start_date || stage.start_date >= earliest) return
    place.mismatch(`a date not before ${earliest.toISOString()}, when the stage above ${event}`)
  }
}
