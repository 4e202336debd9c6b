/**
 * Makes a wallet for a sale, on a machine without a network: `npm run keys`. It prints the words,
 * which are the money, and the extended PUBLIC keys, which are all that the server may know.
 * `npm run keys -- --words` asks for the words of a wallet that there is, and prints its keys.
 * With `--test` the keys are those of test networks. Nothing is written to a file.
 * `npm run keys -- sweep list.json` asks for the treasury and the words, signs what the server has
 * listed, and writes `signed.json` beside it. It refuses gas dearer than 500 gwei, or than
 * `--gas_gwei_max=30` says. Exits with 1 and one sentence on standard error.
 */
import { generateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import * as z from 'zod/mini'

import { SweepList } from '#contract/operator/sweeps.ts'
import { showKeys, showWords } from './show-keys.ts'
import { signSweep, summaryOf, WrongList } from './sign-sweep.ts'
import { keysOfWallet, WrongWords } from './wallet-keys.ts'

/** 24 words. */
const STRENGTH_BITS = 256
const GAS_OPTION = '--gas_gwei_max='
const OPTIONS = ['--words', '--with-network', '--test']
const WORDS = 'The words of the wallet, with spaces between:'
const TREASURY = 'The address of the treasury, from your own record and not from the list:'

const [command, listFile, ...rest] = process.argv.slice(2)
const isSweep = command === 'sweep'
const given = isSweep ? rest : process.argv.slice(2)
const gasGweiMax = given.find((option) => isSweep && option.startsWith(GAS_OPTION))
const options = given.filter((option) => option !== gasGweiMax)
const isTest = options.includes('--test')
const unknown = options.find((option) => !OPTIONS.includes(option))

if (unknown !== undefined) {
  fail(`There is no option "${unknown}". There are ${[...OPTIONS, `${GAS_OPTION}30`].join(', ')}.`)
} else if (isOnNetwork() && !options.includes('--with-network')) {
  fail(
    'This machine is on a network. Words that a networked machine has seen should hold no real ' +
      'money: take the cable out, or say --with-network if this is only a rehearsal.',
  )
} else if (isSweep) {
  await sweep(listFile)
} else if (options.includes('--words')) {
  await showOwn()
} else {
  const words = generateMnemonic(wordlist, STRENGTH_BITS)
  process.stdout.write(showWords(words) + showKeys(keysOfWallet(words, isTest)))
}

async function showOwn(): Promise<void> {
  const [words = ''] = await ask([WORDS])
  try {
    process.stdout.write(showKeys(keysOfWallet(words, isTest)))
  } catch (fault) {
    if (!(fault instanceof WrongWords)) throw fault
    fail(fault.message)
  }
}

async function sweep(file = ''): Promise<void> {
  try {
    const list = readList(file)
    process.stderr.write(`${summaryOf(list).join('\n')}\n\n`)
    const [treasury = '', words = ''] = await ask([TREASURY, WORDS])
    const most = gasGweiMax?.slice(GAS_OPTION.length)
    const signed = await signSweep(list, words, treasury.trim(), most)
    const target = join(dirname(file), 'signed.json')
    const text = `${JSON.stringify(signed, null, 1)}\n`
    writeFileSync(target, text, { flag: 'wx' })
    const hash = createHash('sha256').update(text).digest('hex')
    process.stdout.write(`${signed.summary.join('\n')}\nWritten to ${target}\nSHA-256 ${hash}\n`)
  } catch (fault) {
    const isExpected = fault instanceof WrongWords || fault instanceof WrongList
    const isThere = fault instanceof Error && 'code' in fault && fault.code === 'EEXIST'
    if (isThere)
      fail('There is a signed.json already. Move it away, so that none is sent by mistake.')
    else if (isExpected) fail(fault.message)
    else throw fault
  }
}

function readList(file: string): SweepList {
  try {
    return z.parse(SweepList, JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new WrongList(
      `"${file}" is no list that the server has made. Make one by \`npm run --silent operator -- ` +
        '--json sweeps list --chain_id 1 > list.json`.',
    )
  }
}

/** Asks on the terminal, one line for each question. Answers may also be piped in. */
async function ask(questions: readonly string[]): Promise<string[]> {
  const terminal = createInterface({ input: process.stdin })
  const lines = terminal[Symbol.asyncIterator]()
  const answers = []
  for (const question of questions) {
    process.stderr.write(`${question}\n`)
    const line = await lines.next()
    answers.push(line.done === true ? '' : line.value)
  }
  terminal.close()
  return answers
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
