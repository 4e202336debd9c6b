import { expect, test } from 'vitest'
import { accountPages } from '#web/messages/en/account-pages.ts'
import { messages } from '#web/messages/en/messages.ts'
import * as z from 'zod/mini'
import { readMobile } from './phone/read-mobile.ts'
import { registrationSchema } from './schemas.ts'

const empty = {
  first_name: '',
  last_name: '',
  email: '',
  password: '',
  phone_number: '',
  country_code: 'GB',
  nationality: '',
  usd_amount: '',
  terms_accepted: false,
}
const filled = {
  ...empty,
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: ' ada@example.com ',
  password: 'correct horse 1',
  nationality: 'GB',
  usd_amount: '0.01',
  terms_accepted: true,
}

function firstFaults(fields: typeof empty) {
  const { error } = z.safeParse(
    registrationSchema({ ...messages, ...accountPages }, readMobile),
    fields,
  )
  const issues = error?.issues.map((issue) => [String(issue.path[0]), issue.message]) ?? []
  return Object.fromEntries(issues.toReversed())
}

test('a registration that is filled in has no fault, with a phone number or without', () => {
  expect(firstFaults(filled)).toEqual({})
  expect(firstFaults({ ...filled, phone_number: '07911 123456' })).toEqual({})
})

test('every fault is shown at once, including that of the phone number', () => {
  expect(firstFaults({ ...empty, phone_number: '12' })).toEqual({
    first_name: "Can't be empty",
    last_name: "Can't be empty",
    email: "Can't be empty",
    password: "Can't be empty",
    phone_number: 'Enter a phone number that exists in that country',
    nationality: "Can't be empty",
    usd_amount: "Can't be empty",
    terms_accepted: 'Must accept terms and conditions',
  })
})

test.each([
  ['first_name', '   ', "Can't be empty"],
  ['first_name', 'Ada\u202e', 'Use at most 100 characters, and no line breaks'],
  ['last_name', 'x'.repeat(101), 'Use at most 100 characters, and no line breaks'],
  ['email', 'ada@example', 'Email is invalid'],
  ['email', 'ada@example.com, eve@example.com', 'Email is invalid'],
  ['password', 'abcdef1', 'Minimum 8 character'],
  ['password', 'abcdefg1'.repeat(5), 'Maximum 32 character'],
  ['password', 'abcdefgh', 'Must have at least 1 number and 1 letter'],
  ['password', '12345678', 'Must have at least 1 number and 1 letter'],
  ['usd_amount', '0.009', 'Must be more than 0.01'],
])('%s "%s" is refused', (name, value, message) => {
  expect(firstFaults({ ...filled, [name]: value })).toEqual({ [name]: message })
})
