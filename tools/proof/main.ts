/**
 * Checks receipts without a network and without asking anybody: `npm run proof -- proof.json`.
 * With `--root 0x…`, the root as it was published, it also says whether theirs is that one. Exits
 * with 0 where every receipt is right, else with 1 and one sentence for each on standard error.
 */
import { readFileSync } from 'node:fs'

import { checkReceipts } from './check-receipts.ts'

const USAGE = 'npm run proof -- proof.json [--root 0x…]'

const words = process.argv.slice(2)
const at = words.indexOf('--root')
const root = at === -1 ? null : (words[at + 1] ?? '')
const files = words.filter((_, nth) => at === -1 || (nth !== at && nth !== at + 1))
const [file] = files

if (file === undefined || files.length !== 1 || file.startsWith('--')) {
  fail(`Expected: ${USAGE}`)
} else if (root !== null && !/^0x[0-9a-fA-F]{64}$/.test(root)) {
  fail(`--root must be 0x and 64 hexadecimal digits. Expected: ${USAGE}`)
} else {
  const text = read(file)
  if (text !== null) {
    const { lines, faults } = checkReceipts(text, root)
    if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`)
    if (faults.length > 0) fail(faults.join('\n'))
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    fail(`The file "${path}" cannot be read.`)
    return null
  }
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 1
}
