/** The most that a stranger may send, in bytes. */
const SIZE = 128 * 1024
/** The most that a gateway may send, whose numbers are kept as written. */
const GATEWAY_SIZE = 64 * 1024

/**
 * Patterns that regular expressions and loops are slow with, if there are very many of them, and
 * marks above and below a letter, which Unicode puts in order.
 */
const units = [
  '0',
  '9',
  '.',
  ':',
  '-',
  ' ',
  '\t',
  '(',
  '"',
  '\\',
  '%',
  ',',
  ';',
  '/',
  'a',
  'a@',
  'a.',
  '0 ',
  ' 0',
  'br ',
  'br;q=0.0',
  'Edg',
  'Bearer ',
  '\u0000',
  'ä',
  '\u3000',
  '\u0301\u0323',
  '\u{1f48e}',
  '\ud800',
  '\udc00',
]

/** Endings that make a text fail to match although everything before them did. */
const ends = ['', '!']

export type LongText = { name: string; text: string }

/** Values for the other fields of a body. */
const OTHER_FIELDS = 2_000

/** Texts whose JSON form is as long as a body may be. */
export function longTexts(): LongText[] {
  return units.flatMap((unit) =>
    ends.map((end) => {
      const written = JSON.stringify(unit).length - 2
      const count = Math.floor((SIZE - OTHER_FIELDS) / written)
      return {
        name: `${JSON.stringify(unit)}… ${JSON.stringify(end)}`,
        text: unit.repeat(count) + end,
      }
    }),
  )
}

/** Bodies of the greatest length that are JSON, or nearly, and contain very much of something. */
export const longBodies = (): LongText[] => bodiesOf(SIZE)
export const longGatewayBodies = (): LongText[] => bodiesOf(GATEWAY_SIZE)

function bodiesOf(size: number): LongText[] {
  const fill = (unit: string, room: number) => unit.repeat(Math.floor((size - room) / unit.length))
  const longKey = 'k'.repeat(size / 2)
  const keys = (bytes: number, value: string) =>
    Array.from({ length: bytes / 14 }, (_, index) => `"${index}":${value}`).join(',')
  const written: Record<string, string> = {
    'a whole number of zeros': `{"email":1${fill('0', 20)}}`,
    'a fraction of zeros': `{"email":0.${fill('0', 20)}1}`,
    'zeros before an exponent': `{"email":0.${fill('0', 20)}e1}`,
    'zeros where no number begins': `{"email":${fill('0', 20)}}`,
    'numbers in a list': `{"email":[${fill('1,', 20)}1]}`,
    'texts in a list': `{"email":[${fill('"",', 20)}""]}`,
    'objects in a list': `{"email":[${fill('{},', 20)}{}]}`,
    'lists without end': fill('[', 0),
    'objects without end': fill('{"a":', 0),
    'unknown keys': `{${keys(size, '1')}}`,
    'a key given again and again': `{${fill('"a":1,', 20)}"a":1}`,
    'keys given twice below a long one': `{"${longKey}":{${keys(size / 4, '1')},${keys(size / 4, '1')}}}`,
    'texts with a NUL below a long key': `{"purchase_amount":1,"purchase_token_id":"eth","bonuses":{"${longKey}":{${keys(size / 4, JSON.stringify('\u0000'))}}}}`,
    'escapes in a text': `{"email":"${fill('\\\\', 20)}"}`,
    'escapes in a text without end': `{"email":"${fill(String.raw`\"`, 20)}`,
    'blanks alone': fill(' ', 0),
    'blanks after an object': `{}${fill(' ', 20)}`,
  }
  return Object.entries(written).map(([name, text]) => ({ name, text }))
}
