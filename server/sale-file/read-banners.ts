import { camelKeys } from '#domain/key-case.ts'
import { type Banner, bannerTones, saleStatuses } from '#domain/sale/sale.ts'
import { endsAfterStart } from './document/dates.ts'
import {
  converted,
  list,
  optional,
  type Reader,
  required,
  section,
  unique,
} from './document/readers.ts'
import { identifier, linkOrPage, oneOf, text, trueOrFalse } from './document/values.ts'

export function banners(when: Reader<Date>): Reader<readonly Banner[]> {
  return list(() => banner(when), { expected: 'a list of at most 20 banners', countMax: 20 })
}

const status = oneOf(...saleStatuses)
const statuses = list(
  () => {
    const isNew = unique('a status')
    return converted(status, (given, place) => {
      isNew(given, place)
      return given
    })
  },
  {
    expected: `a list of 1 to ${saleStatuses.length} statuses`,
    countMin: 1,
    countMax: saleStatuses.length,
  },
)

/** One status of the sale, or a list of them. */
const shownWhile: Reader<Banner['shownWhile']> = {
  expected: status.expected,
  read(place) {
    if (place.items() !== undefined) return statuses.read(place)
    const one = status.read(place)
    return one && [one]
  },
}

function banner(when: Reader<Date>): Reader<Banner> {
  const hasIdOfItsOwn = unique('an id')
  return section(
    'a map of the banner’s fields',
    {
      id: required(identifier),
      message: required(text(500)),
      tone: required(oneOf(...bannerTones)),
      link_url: optional(linkOrPage, null),
      link_label: optional(text(60), null),
      dismissible: optional(trueOrFalse, true),
      starts_date: optional(when, null),
      ends_date: optional(when, null),
      while: optional(shownWhile, saleStatuses),
    },
    {
      check(banner, place) {
        hasIdOfItsOwn(banner.id, place.at('id'))
        endsAfterStart(banner.starts_date, banner.ends_date, place.at('ends_date'))
        const { link_url: url, link_label: label } = banner
        if (url && label === null) place.at('link_label').mismatch('the words of the link')
        if (label && url === null) place.at('link_url').mismatch(linkOrPage.expected)
      },
      build: ({ dismissible, starts_date, ends_date, while: shownWhile, ...rest }) => ({
        ...camelKeys(rest),
        isDismissible: dismissible,
        startsAt: starts_date,
        endsAt: ends_date,
        shownWhile,
      }),
    },
  )
}
