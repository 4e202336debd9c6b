import { describe, expect, test } from 'vitest'

import { showKeys, showWords } from './show-keys.ts'
import { keysOfWallet, WrongWords } from './wallet-keys.ts'

/** The words whose keys and addresses the proposals themselves give as examples. */
const KNOWN = `${'abandon '.repeat(11)}about`

describe('the keys of a wallet', () => {
  test('are those that every other wallet makes of the same words', () => {
    const [evm, btc, ltc, doge] = keysOfWallet(KNOWN)
    expect(evm).toMatchObject({
      name: 'EVM_XPUB',
      path: "m/44'/60'/0'",
      firstAddress: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
    })
    expect(btc).toMatchObject({
      name: 'BTC_XPUB',
      // BIP-84 gives this address for m/84'/0'/0'/0/0.
      firstAddress: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      // The fingerprint that wallets and descriptors give these words.
      origin: { name: 'BTC_KEY_ORIGIN', text: '[73c5da0a/84h/0h/0h]' },
    })
    expect(ltc).toMatchObject({
      name: 'LTC_XPUB',
      firstAddress: 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh',
    })
    expect(doge).toMatchObject({
      name: 'DOGE_XPUB',
      firstAddress: 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC',
    })
  })

  test('are public ones, and there is nothing else in what is printed of them', () => {
    const keys = keysOfWallet(KNOWN)
    for (const { text } of keys) expect(text).toMatch(/^xpub[1-9A-HJ-NP-Za-km-z]{107}$/)
    const shown = showKeys(keys)
    expect(shown).not.toMatch(/prv|abandon/)
    for (const { name, text } of keys) expect(shown).toContain(`\n${name}=${text}\n`)
  })

  test('of test networks are those of their own accounts, written as such', () => {
    const [evm, btc, ltc, doge] = keysOfWallet(KNOWN, true)
    expect(evm?.firstAddress).toBe('0x9858EfFD232B4033E47d90003D41EC34EcaEda94')
    expect(btc).toMatchObject({
      path: "m/84'/1'/0'",
      text: expect.stringMatching(/^tpub/),
      firstAddress: 'tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl',
    })
    expect(ltc).toMatchObject({ text: btc?.text, firstAddress: expect.stringMatching(/^tltc1q/) })
    expect(doge).toMatchObject({
      path: "m/44'/1'/0'",
      firstAddress: expect.stringMatching(/^n[1-9A-HJ-NP-Za-km-z]{33}$/),
    })
  })

  test('can be entered in any case and with any spaces', () => {
    expect(keysOfWallet(`  ${KNOWN.toUpperCase().replaceAll(' ', '\n ')} `)).toEqual(
      keysOfWallet(KNOWN),
    )
  })

  test.each([
    ['a misspelt word', KNOWN.replace('about', 'abuot'), '"abuot" is none of the words'],
    ['a missing word', KNOWN.replace('abandon ', ''), 'belong to no wallet'],
    [
      'words in another place',
      KNOWN.replace('abandon abandon about', 'about abandon abandon'),
      'belong to no wallet',
    ],
    ['nothing', ' ', 'There are no words'],
  ])('are none of %s', (_, words, sentence) => {
    expect(() => keysOfWallet(words)).toThrow(WrongWords)
    expect(() => keysOfWallet(words)).toThrow(sentence)
  })
})

test('the words are numbered, in rows', () => {
  expect(showWords(KNOWN)).toContain(
    '   1 abandon     2 abandon     3 abandon     4 abandon\n   5 abandon',
  )
  expect(showWords(KNOWN)).toContain('12 about')
})
