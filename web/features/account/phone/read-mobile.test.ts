import { expect, test } from 'vitest'
import { countriesIn } from './countries.ts'
import { readMobile } from './read-mobile.ts'

test('a phone number is its dial code, one space and the digits', () => {
  expect(readMobile('GB', '7911 123-456')).toBe('+44 7911123456')
  expect(readMobile('AU', '412345678')).toBe('+61 412345678')
})

test('the zero that is dialled inside the country is not stored, where it is none of the number', () => {
  expect(readMobile('GB', '07911 123456')).toBe('+44 7911123456')
  expect(readMobile('DE', '0151 12345678')).toBe('+49 15112345678')
  expect(readMobile('IT', '06 6982 1234')).toBe('+39 0669821234')
})

test('a number with a dial code of its own keeps that', () => {
  expect(readMobile('GB', '+44 7911 123456')).toBe('+44 7911123456')
  expect(readMobile('GB', '0033 6 12 34 56 78')).toBe('+33 612345678')
})

test('a number that does not exist in the country is refused', () => {
  for (const text of ['1', '123', '12345678901234567', 'call me', '7911123456 or 7', '٠٧٩']) {
    expect(readMobile('GB', text), text).toBeNull()
  }
  expect(readMobile('XX', '7911123456')).toBeNull()
})

test('the numbers of every country in the list can be read', () => {
  for (const { code, dialCode } of countriesIn('en')) {
    // If no number of this length exists there may be no result, but never a wrong dial code.
    expect(readMobile(code, '23456789')?.startsWith(`${dialCode} `), code).not.toBe(false)
  }
})
