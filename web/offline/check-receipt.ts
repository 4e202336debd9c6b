import { keccak256 } from 'viem'
import {
  findReceiptFault,
  type ProofReceipt,
  readReceipts,
} from '#domain/delivery/proof-receipt.ts'

/**
 * The script of the page that is saved to a disk and checks receipts there, without a network. It
 * shares nothing with the application: everything that it needs is in its one file.
 */
const english = {
  heading: 'Check a proof file',
  intro:
    'This file works without a network and sends nothing. It works out the path from your ' +
    'purchase to the root of the snapshot. Compare that root with the published one.',
  root: 'The published root (if you have it)',
  file: 'Your proof file',
  right: 'Right.',
  wrong: 'Wrong.',
  noReceipt: 'This is not a proof file, or it was changed.',
  otherPurchase: 'It proves a different purchase from the one that it names.',
  notInTree: 'What it says is not in the tree of its root.',
  otherRoot: (root: string) => `It is in another tree: its root is ${root}.`,
  found: ({ purchase_id: id, snapshot, value, root }: ProofReceipt) =>
    `${id} is in snapshot ${snapshot} with ${value[1]} base units. Root: ${root}`,
}

const german: typeof english = {
  heading: 'Nachweis prüfen',
  intro:
    'Diese Datei arbeitet ohne Netz und sendet nichts. Sie rechnet den Weg von Ihrem Kauf bis zur ' +
    'Wurzel der Stichtagsliste nach. Vergleichen Sie diese Wurzel mit der veröffentlichten.',
  root: 'Die veröffentlichte Wurzel (wenn Sie sie haben)',
  file: 'Ihr Nachweis',
  right: 'Richtig.',
  wrong: 'Falsch.',
  noReceipt: 'Das ist kein Nachweis, oder er wurde verändert.',
  otherPurchase: 'Er belegt einen anderen Kauf, als er nennt.',
  notInTree: 'Was er sagt, steht nicht im Baum seiner Wurzel.',
  otherRoot: (root) => `Er gehört zu einem anderen Baum: Seine Wurzel ist ${root}.`,
  found: ({ purchase_id: id, snapshot, value, root }) =>
    `${id} steht in Stichtagsliste ${snapshot} mit ${value[1]} kleinsten Einheiten. Wurzel: ${root}`,
}

const isGerman = navigator.language.startsWith('de')
const texts = isGerman ? german : english

function element(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`There is no ${selector}`)
  return found
}

const input = (selector: string) => element(selector) as HTMLInputElement

document.documentElement.lang = isGerman ? 'de' : 'en'
document.title = texts.heading
element('h1').textContent = texts.heading
element('#intro').textContent = texts.intro
element('#root-label').textContent = texts.root
element('#file-label').textContent = texts.file
element('#file').addEventListener('change', () => void checkFiles())
element('#root').addEventListener('input', () => void checkFiles())

async function checkFiles(): Promise<void> {
  const read = [...(input('#file').files ?? [])].map(async (file) =>
    readReceipts(await file.text()),
  )
  const results = (await Promise.all(read)).flatMap((receipts) =>
    receipts === null ? [null] : receipts,
  )
  element('#results').replaceChildren(...results.map(line))
}

function line(receipt: ProofReceipt | null): HTMLElement {
  const fault = faultOf(receipt)
  const item = document.createElement('li')
  item.className = fault === null ? 'right' : 'wrong'
  const word = document.createElement('strong')
  word.textContent = fault === null ? texts.right : texts.wrong
  item.append(word, ' ', fault ?? (receipt === null ? '' : texts.found(receipt)))
  return item
}

function faultOf(receipt: ProofReceipt | null): string | null {
  if (receipt === null) return texts.noReceipt
  const fault = findReceiptFault(receipt, (bytes) => keccak256(bytes, 'bytes'))
  if (fault !== null) return fault === 'id' ? texts.otherPurchase : texts.notInTree
  const published = input('#root').value.trim().toLowerCase()
  return published === '' || published === receipt.root ? null : texts.otherRoot(receipt.root)
}
