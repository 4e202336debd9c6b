import { expect, test } from 'vitest'

import { lastingText } from './lasting-text.ts'

const nothing = { url: '', end: '', fromBlock: '' }
const page = 'https://claim.example/it'

test('buyers are told where they claim, and until when', () => {
  const end = '2027-03-01T12:00'
  expect(lastingText('uniswap', nothing)).toContain('claim on the sale’s own page, with no end.')
  expect(lastingText('hedgey', { ...nothing, end })).toContain('claim at …, until Mar 1, 2027')
  expect(lastingText('hedgey', { ...nothing, url: page })).toContain(`at ${page}, with no end.`)
})

test('an end with one digit too many is shown as it was typed', () => {
  const end = '20271-03-01T12:00'
  expect(lastingText('uniswap', { ...nothing, end })).toContain(`until ${end}.`)
})

test('the first block of what a wallet sends may be that of its list', () => {
  expect(lastingText('plain', { ...nothing, fromBlock: '120' })).toContain('from block 120 on, or')
  expect(lastingText('uniswap', { ...nothing, fromBlock: '120' })).not.toContain('120')
})
