import { describe, expect, test } from 'vitest'
import {
  isEmail,
  isPersonName,
  MOBILE,
  normalizeEmail,
  passwordFault,
  walletAddressFault,
} from './account.ts'

const wrongMix = 'Must have at least 1 number and 1 letter'

describe('a new password', () => {
  test.each([
    ['abcdefg1', null],
    [`${'a'.repeat(31)}1`, null],
    ['пароль92', null],
    ['abcdef1', 'Minimum 8 character'],
    ['', 'Minimum 8 character'],
    [`${'a'.repeat(32)}1`, 'Maximum 32 character'],
    ['abcdefgh', wrongMix],
    ['12345678', wrongMix],
    ['!!!!!!!!', wrongMix],
    // Four characters outside the basic plane, not eight.
    ['😀😀😀a1', 'Minimum 8 character'],
    ['e\u0301'.repeat(31) + '1', null],
    ['e\u0301'.repeat(6) + '1', 'Minimum 8 character'],
    ['\u03b1\u0313\u0300\u0345'.repeat(31) + '1', null],
  ])('%j: %j', (password, fault) => expect(passwordFault(password)).toBe(fault))
})

describe('an e-mail address', () => {
  test.each([
    'a@b.co',
    'first.last+tag@sub.example.com',
    "o'neil@example.org",
    `${'a'.repeat(242)}@example.com`,
    // How browsers write a domain such as почта.рф.
    'ann@xn--80a1acny.xn--p1ai',
  ])('%s is one', (text) => expect(isEmail(text)).toBe(true))

  test.each([
    '',
    'a',
    'a@b',
    '@b.co',
    'a@.co',
    'a@b..co',
    '.a@b.co',
    'a.@b.co',
    'a..b@c.co',
    'a b@c.co',
    'a@b.co\n',
    'a@b.co, c@d.co',
    '"a b"@c.co',
    'a@[127.0.0.1]',
    'a@-b.co',
    'a@b.c0',
    'a@b.xn--',
    'a\r\nBcc: x@y.zz@b.co',
    `${'a'.repeat(243)}@example.com`,
  ])('%j is none', (text) => expect(isEmail(text)).toBe(false))

  test('two spellings are one account', () => {
    expect(normalizeEmail('  Ann@Example.COM ')).toBe('ann@example.com')
  })
})

describe('a name', () => {
  test.each([
    'Ann',
    'Ælfgifu',
    "D'Arcy",
    'María José',
    '李',
    'x'.repeat(100),
    // Persian writing and emoji contain characters that only join or vary others.
    'نامه\u200cای',
    '👩\u200d👧',
    '❤\ufe0f',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  ])('%s is one', (text) => expect(isPersonName(text)).toBe(true))

  test.each([
    '',
    '   ',
    'x'.repeat(101),
    'a\nb',
    'a\u0000b',
    'abc\u202edef',
    'a\u200bb',
    'a\u2028b',
    // Letters and symbols by their category, but blank: of Korean and Braille.
    '\u3164',
    'a\u115f',
    '\u2800',
    'a\u00adb',
    'a\u2060b',
    // Joins, with nothing to join.
    '\u200d',
  ])('%j is none', (text) => expect(isPersonName(text)).toBe(false))
})

describe('a mobile number', () => {
  test.each(['+44 7911123456', '+1 2025550123', '+1684 6331234'])('%s is one', (text) =>
    expect(text).toMatch(MOBILE),
  )

  test.each([
    '+447911123456',
    '44 7911123456',
    '+44  7911123456',
    '+44 7911 123456',
    '+0 12345',
    '+44 123',
  ])('%s is none', (text) => expect(text).not.toMatch(MOBILE))
})

describe('the address of a wallet', () => {
  const digits = '52908400098527886E0F7030069857D2E4169EE7'

  test.each([`0x${digits}`, `0x${digits.toLowerCase()}`, `0x${'0'.repeat(40)}`])(
    '%s is one',
    (text) => expect(walletAddressFault(text)).toBeNull(),
  )

  test.each([
    '',
    digits,
    `0X${digits}`,
    `0x${digits.slice(1)}`,
    `0x${digits}0`,
    `0x${digits.slice(1)}g`,
    ` 0x${digits}`,
    `0x${digits}\n`,
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  ])('%j is none', (text) => expect(walletAddressFault(text)).toBe('Invalid wallet address'))
})
