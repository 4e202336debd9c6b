import { isEmail } from '#domain/accounts/account.ts'
import type { Project, ProjectInfo, ProjectPictures } from '#domain/sale/sale.ts'
import { picture } from './document/picture.ts'
import {
  list,
  optional,
  type Reader,
  record,
  required,
  scalar,
  section,
} from './document/readers.ts'
import { link, text, wholeNumber } from './document/values.ts'
import { offerFields } from './read-offer.ts'

export const TOKEN_DECIMALS_MAX = 36

const label = text(60)
const links = record(link, {
  expected: 'a map of labels to links, at most 20',
  key: label,
  countMax: 20,
})

const allLinks = section('a map with header, footer and, if wanted, buy_now', {
  header: required(links),
  footer: required(
    record(links, {
      expected: 'a map of groups to maps of labels to links, at most 8',
      key: label,
      countMax: 8,
    }),
  ),
  buy_now: optional(link, null),
})

function pictures(folder: string): Reader<ProjectPictures> {
  return section('a map with logo, icon and social_preview', {
    logo: optional(picture(folder), null),
    icon: optional(picture(folder), null),
    social_preview: optional(picture(folder), null),
  })
}

const NO_PICTURES: ProjectPictures = { logo: null, icon: null, socialPreview: null }

const fact = section('a map with label, value and, if wanted, detail', {
  label: required(label),
  value: required(text(40)),
  detail: optional(text(160), null),
})

const paragraphs = { expected: 'a list of 1 to 20 paragraphs', countMin: 1, countMax: 20 }
const chapter = section('a map with title and paragraphs', {
  title: required(text(120)),
  paragraphs: required(list(() => text(2000), paragraphs)),
})

const info: Reader<ProjectInfo> = section('a map with facts and sections', {
  facts: optional(
    list(() => fact, { expected: 'a list of at most 12 facts', countMax: 12 }),
    [],
  ),
  sections: optional(
    list(() => chapter, { expected: 'a list of at most 12 sections', countMax: 12 }),
    [],
  ),
})

const email = scalar('an e-mail address', (given) => (isEmail(given) ? given : undefined))

const processor = section('a map with name and purpose', {
  name: required(text(120)),
  purpose: required(text(200)),
})

const processors = list(() => processor, {
  expected: 'a list of at most 20 processors',
  countMax: 20,
})

export const tokenDecimals = wholeNumber(0, TOKEN_DECIMALS_MAX)

export function project(folder: string): Reader<Project> {
  return section('a map of the project’s fields', {
    name: required(text(60)),
    symbol: required(text(16)),
    decimals: required(tokenDecimals),
    main_site_url: required(link),
    tagline: required(text(160)),
    launch_notice: required(text(160)),
    copyright_year: required(wholeNumber(1900, 9999)),
    links: required(allLinks),
    contact_email: optional(email, null),
    processors: optional(processors, []),
    pictures: optional(pictures(folder), NO_PICTURES),
    info: optional(info, null),
    ...offerFields,
  })
}
