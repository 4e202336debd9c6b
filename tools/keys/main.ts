/**
 * Makes a wallet for a sale, on a machine without a network: `npm run keys`. It prints the words,
 * which are the money, and the extended PUBLIC keys, which are all that the server may know.
 * `npm run keys -- --words` asks for the words of a wallet that there is, and prints its keys.
 * Nothing is written to a file. Exits with 1 and one sentence on standard error.
 */
import { generateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { createInterface } from 'node:readline/promises'

import { showKeys, showWords } from './show-keys.ts'
import { keysOfWallet, WrongWords } from './wallet-keys.ts'

/** 24 words. */
const STRENGTH_BITS = 256
const OPTIONS = ['--words', '--with-network']

const options = process.argv.slice(2)
const unknown = options.find((option) => !OPTIONS.includes(option))

if (unknown !== undefined) {
  fail(`There is no option "${unknown}". There are ${OPTIONS.join(' and ')}.`)
} else if (isOnNetwork() && !options.includes('--with-network')) {
  fail(
    'This machine is on a network. Words that a networked machine has seen should hold no real ' +
      'money: take the cable out, or say --with-network if this is only a rehearsal.',
  )
} else if (options.includes('--words')) {
  await showOwn()
} else {
  const words = generateMnemonic(wordlist, STRENGTH_BITS)
  process.stdout.write(showWords(words) + showKeys(keysOfWallet(words)))
}

async function showOwn(): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = terminal.question('The words of the wallet, with spaces between:\n')
  const words = await Promise.race([answer, once(terminal, 'close').then(() => '')])
  terminal.close()
  try {
    process.stdout.write(showKeys(keysOfWallet(words)))
  } catch (fault) {
    if (!(fault instanceof WrongWords)) throw fault
    fail(fault.message)
  }
}

function isOnNetwork(): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ internal }) => !internal),
  )
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 1
}
