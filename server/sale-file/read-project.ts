import type { Project } from '#domain/sale.ts'
import { optional, type Reader, record, required, section } from './readers.ts'
import { link, text, wholeNumber } from './values.ts'

export const TOKEN_DECIMALS_MAX = 36

const label = text(60)
const links = record(link, {
  expected: 'a map of labels to links, at most 20',
  key: label,
  countMax: 20,
})

const allLinks = section(
  'a map with header, footer and, if wanted, buy_now',
  {
    header: required(links),
    footer: required(
      record(links, {
        expected: 'a map of groups to maps of labels to links, at most 8',
        key: label,
        countMax: 8,
      }),
    ),
    buy_now: optional(link, null),
  },
  { build: ({ header, footer, buy_now }) => ({ header, footer, buyNow: buy_now }) },
)

/** Into how many decimals the project's token can be divided. */
export const tokenDecimals = wholeNumber(0, TOKEN_DECIMALS_MAX)

export const project: Reader<Project> = section(
  'a map of the project’s fields',
  {
    name: required(text(60)),
    symbol: required(text(16)),
    decimals: required(tokenDecimals),
    main_site_url: required(link),
    tagline: required(text(160)),
    launch_notice: required(text(160)),
    copyright_year: required(wholeNumber(1900, 9999)),
    links: required(allLinks),
  },
  {
    build: ({ main_site_url, launch_notice, copyright_year, ...rest }) => ({
      ...rest,
      mainSiteUrl: main_site_url,
      launchNotice: launch_notice,
      copyrightYear: copyright_year,
    }),
  },
)
