import { expect, test } from 'vitest'
import { countriesIn, findCountry, fromMobile } from './countries.ts'

const countries = countriesIn('en')

test('the preferred countries come first, the rest by name', () => {
  const names = countries.map((country) => country.name)
  expect(names.slice(0, 5)).toEqual([
    'Australia',
    'India',
    'United Arab Emirates',
    'United Kingdom',
    'United States',
  ])
  expect(names.slice(5)).toEqual(names.slice(5).toSorted((one, two) => one.localeCompare(two)))
})

test('every country has a name, a dial code and a flag to show', () => {
  expect(countries.length).toBeGreaterThan(200)
  for (const country of countries) {
    expect(country.name).not.toBe(country.code)
    expect(country.dialCode).toMatch(/^\+[1-9]\d{0,3}$/)
    expect(country.flagUrl, country.code).toBeDefined()
  }
  expect(findCountry('GB')).toMatchObject({ dialCode: '+44', flag: '🇬🇧' })
})

test('a stored number finds its country again, and the own one among several', () => {
  expect(fromMobile('+44 7911123456', 'GB')).toEqual({
    countryCode: 'GB',
    phoneNumber: '7911123456',
  })
  expect(fromMobile('+1 2025550123', 'CA').countryCode).toBe('CA')
  expect(fromMobile('+1 2025550123', 'FR').countryCode).toBe('US')
  expect(fromMobile(null, 'FR')).toEqual({ countryCode: 'GB', phoneNumber: '' })
})
