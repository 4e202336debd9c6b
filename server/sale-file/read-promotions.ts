import { camelKeys } from '#domain/key-case.ts'
import { toWireNumber, USD_DECIMALS } from '#domain/money.ts'
import type { Promotion } from '#domain/sale/sale.ts'
import { picture } from './document/picture.ts'
import { list, optional, type Reader, required, section, unique } from './document/readers.ts'
import { identifier, page, paymentTokenId, someDollars, text } from './document/values.ts'

type PromotionContext = {
  /** The folder of the sale file; pictures are in it or below it. */
  folder: string
  paymentTokenIds: ReadonlySet<string>
}

export function promotions(context: PromotionContext): Reader<readonly Promotion[]> {
  return list(
    () => {
      const hasKeyOfItsOwn = unique('a key')
      return section(
        'a map of the promotion’s fields',
        {
          key: required(identifier),
          image: required(picture(context.folder)),
          image_blue: optional(picture(context.folder), null),
          title: optional(text(60), null),
          detail: optional(text(160), null),
          link: optional(page, null),
          buy_params: optional(buyParams(context.paymentTokenIds), {}),
        },
        {
          check: (promotion, place) => hasKeyOfItsOwn(promotion.key, place.at('key')),
          build: ({ link: linkUrl, ...rest }) => ({ ...camelKeys(rest), linkUrl }),
        },
      )
    },
    { expected: 'a list of at most 20 promotions', countMax: 20 },
  )
}

function buyParams(paymentTokenIds: ReadonlySet<string>): Reader<Promotion['buyParams']> {
  return section(
    'a map with usd_amount and token_id',
    {
      usd_amount: optional(someDollars, null),
      token_id: optional(paymentTokenId(paymentTokenIds), null),
    },
    {
      build: ({ usd_amount, token_id }) => ({
        ...(usd_amount !== null && { usd_amount: toWireNumber(usd_amount, USD_DECIMALS) }),
        ...(token_id !== null && { token_id }),
      }),
    },
  )
}
