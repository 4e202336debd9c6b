import { expect, test } from 'vitest'
import * as german from './de.ts'
import * as english from './en/all.ts'

/** The words that are right in both languages. */
const sameInBoth = new Set(['Bonus', 'Details', 'Info', 'Status', 'Token', 'Wallet'])

/** Sentences that are chosen by a word, with one of those words. */
const chosenBy: Record<string, string> = {
  passwordFault: 'Minimum 8 character',
  switchTheme: 'dark',
  device: 'Chrome on Linux',
}

/** The arguments of a sentence: text that can be found again, as can whatever it reads from it. */
function given(index: number): unknown {
  const text = `‹${index}›`
  const known = {
    payment_tokens: [],
    processors: [{ name: '‹company›', purpose: '‹purpose›' }],
    replaceAll: () => text,
    [Symbol.toPrimitive]: () => text,
  }
  return new Proxy(known, {
    get: (_, key): unknown => Reflect.get(known, key) ?? `‹${String(key)}›`,
  })
}

/** Every text of a language by its path; sentences with their arguments filled in. */
function textsOf(value: unknown, place = ''): [place: string, text: string][] {
  if (typeof value === 'string') return [[place, value]]
  if (typeof value === 'function') {
    const chosen = chosenBy[place.split('.').at(-1) ?? ''] ?? given(0)
    const sentence = value as (...words: unknown[]) => unknown
    return [[place, JSON.stringify(sentence(chosen, given(1), given(2)))]]
  }
  return Object.entries(value as object).flatMap(([key, inner]) =>
    textsOf(inner, `${place}.${key}`),
  )
}

// Sentences of refusals have no English counterpart here: those are the server's.
const germanTexts = new Map(textsOf({ ...german, refusals: {} }))
const englishTexts = textsOf(english)

test('both languages have the same texts, and none is empty', () => {
  expect([...germanTexts.keys()].toSorted()).toEqual(
    englishTexts.map(([place]) => place).toSorted(),
  )
  for (const [place, text] of germanTexts) expect(text.trim(), place).not.toBe('')
})

test('a sentence contains its values in both languages', () => {
  const givenIn = (text = '') => [...new Set(text.match(/‹[^›]*›/g))].toSorted()
  for (const [place, text] of englishTexts) {
    expect(givenIn(germanTexts.get(place)), place).toEqual(givenIn(text))
  }
  expect(givenIn(germanTexts.get('.transaction.warning'))).toEqual(['‹0›', '‹1›'])
})

test('no text was left in English', () => {
  const isOfWords = (text: string) => /\p{L}{2}/u.test(text.replaceAll(/‹[^›]*›/g, ''))
  const left = englishTexts
    .filter(([place, text]) => isOfWords(text) && germanTexts.get(place) === text)
    .map(([, text]) => text)
  expect(new Set(left)).toEqual(sameInBoth)
})

test('German puts a space before the sign of every percentage', () => {
  const { offer: offers, transaction: purchase, transactionList: list } = german
  expect([
    purchase.states.arrived('49.9%'),
    list.arrived('49.9%'),
    list.arrived('50%'),
    offers.ladder.wantedShare('$100', '0.0015%', 'Phase 1'),
  ]).toEqual([
    '49.9\u00A0% eingegangen',
    '49.9\u00A0% eingegangen',
    'zur Hälfte da',
    'Für $100 gibt es 0.0015\u00A0% von Phase 1.',
  ])
})

test('German names the devices of the account page in German', () => {
  expect(german.security.device('Chrome on Linux')).toBe('Chrome auf Linux')
  expect(german.security.device('Unknown device')).toBe('Unbekanntes Gerät')
  expect(english.security.device('Chrome on Linux')).toBe('Chrome on Linux')
})

test('German has one word for cancelling a claim, which mails and refusals use too', () => {
  expect(germanTexts.get('.refundClaim.cancel.action')).toBe('Antrag abbrechen')
  expect([...germanTexts.values()].filter((text) => /stornier/i.test(text))).toEqual([])
})

test('no full stop follows an email address, since it could be left alone in a line', () => {
  const email = 'johanna@example.org'
  for (const { security: texts } of [english, german]) {
    for (const sentence of [texts.codeIntro, texts.verifyNotice, texts.confirmEmailText]) {
      expect(sentence(email)).toMatch(/johanna@example\.org( |$)/)
    }
  }
})
