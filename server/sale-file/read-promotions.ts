import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { toWireNumber, USD_DECIMALS } from '#domain/money.ts'
import type { Promotion } from '#domain/sale.ts'
import { PNG_EXPECTED, PNG_LENGTH_MAX, pngFault } from './png.ts'
import { list, optional, type Reader, required, section, unique } from './readers.ts'
import { identifier, paymentTokenId, someDollars } from './values.ts'

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
        'a map with key, image and buy_params',
        {
          key: required(identifier),
          image: required(image(context.folder)),
          buy_params: optional(buyParams(context.paymentTokenIds), {}),
        },
        {
          check: (promotion, place) => hasKeyOfItsOwn(promotion.key, place.at('key')),
          build: ({ key, image, buy_params }) => ({ key, image, buyParams: buy_params }),
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

/** A picture, as base64. */
function image(folder: string): Reader<string> {
  const expected = `the path of ${PNG_EXPECTED}, relative to the sale file and inside its folder`
  return {
    expected,
    read(place) {
      if (place.text === undefined) return place.mismatch(expected)
      const picture = loadPicture(folder, place.text)
      if (picture.ok) return picture.file.toString('base64')
      return place.fault(`expected ${expected}, found ${picture.found}`)
    },
  }
}

type Picture = { ok: true; file: Buffer } | { ok: false; found: string }

function loadPicture(folder: string, path: string): Picture {
  const named = JSON.stringify(path)
  if (isAbsolute(path) || isOutside(folder, resolve(folder, path))) {
    return { ok: false, found: `${named}, which is outside` }
  }
  try {
    // A link inside the folder may lead out of it.
    const target = realpathSync(resolve(folder, path))
    if (isOutside(realpathSync(folder), target)) {
      return { ok: false, found: `${named}, which leads outside` }
    }
    const status = statSync(target)
    if (!status.isFile()) return { ok: false, found: `${named}, which is no file` }
    if (status.size > PNG_LENGTH_MAX) {
      return { ok: false, found: `${named} of ${status.size} bytes` }
    }
    const file = readFileSync(target)
    const fault = pngFault(file)
    return fault === null ? { ok: true, file } : { ok: false, found: `${named}, ${fault}` }
  } catch {
    return { ok: false, found: `${named}, which cannot be read` }
  }
}

function isOutside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
}
