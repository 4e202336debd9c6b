import { expect, it } from 'vitest'
import { readAnnouncement } from './announced-wallets.ts'

const provider = { request: async () => null }
const info = { uuid: '1', name: 'Fox', icon: 'data:image/svg+xml,%3Csvg/%3E', rdns: 'com.fox' }

it('takes a wallet as it announces itself', () => {
  expect(readAnnouncement({ info, provider })).toEqual({
    id: '1',
    name: 'Fox',
    icon: info.icon,
    provider,
  })
})

it.each([
  ['of another host', 'https://tracker.example/icon.png'],
  ['that is a script', 'javascript:alert(1)'],
  ['that is a page', 'data:text/html,<script>alert(1)</script>'],
  ['that is too large', `data:image/png;base64,${'A'.repeat(300_000)}`],
  ['that is none', null],
])('shows no picture %s', (_, icon) => {
  expect(readAnnouncement({ info: { ...info, icon }, provider })?.icon).toBeNull()
})

it.each([
  ['  Fox \n Wallet ', 'Fox Wallet'],
  ['Fox\u202Exof\u0000', 'Fox xof'],
  ['🦊'.repeat(50), `${'🦊'.repeat(31)}…`],
])('writes the name %j as %s', (name, shown) => {
  expect(readAnnouncement({ info: { ...info, name }, provider })?.name).toBe(shown)
})

it.each([
  [null],
  ['wallet'],
  [{ info }],
  [{ provider }],
  [{ info, provider: {} }],
  [{ info: { ...info, name: '\u200B' }, provider }],
  [{ info: { ...info, uuid: 7 }, provider }],
])('leaves out what cannot be used: %j', (announced) => {
  expect(readAnnouncement(announced)).toBeNull()
})
