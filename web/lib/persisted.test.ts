import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { persisted } from './persisted.ts'

let entries: Map<string, string>

beforeEach(() => {
  entries = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  })
})
afterEach(() => void vi.unstubAllGlobals())

test.each([
  [5, 'number:5'],
  [0.5, 'number:0.5'],
  ['5', 'string:5'],
  ['', 'string:'],
  ['two\nlines: here', 'string:two\nlines: here'],
  [true, 'boolean:true'],
  [false, 'boolean:false'],
])('%j is kept as "%s" and read as it was', (value, text) => {
  persisted.write('it', value)
  expect(entries.get('presale.it')).toBe(text)
  expect(persisted.read('it')).toBe(value)
})

test('what is missing, removed or written by another hand is nothing', () => {
  expect(persisted.read('it')).toBeNull()
  persisted.write('it', 1)
  persisted.remove('it')
  expect(entries.size).toBe(0)
  for (const text of ['5', 'number:', 'number:five', 'date:2026-01-01', 'null']) {
    entries.set('presale.it', text)
    expect(persisted.read('it'), text).toBeNull()
  }
})

test('a storage that is forbidden counts as empty', () => {
  const forbidden = () => {
    throw new Error('SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: forbidden, setItem: forbidden, removeItem: forbidden })
  expect(() => persisted.write('it', 1)).not.toThrow()
  expect(() => persisted.remove('it')).not.toThrow()
  expect(persisted.read('it')).toBeNull()
})
