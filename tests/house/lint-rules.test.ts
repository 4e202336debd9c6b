import { expect, test } from 'vitest'

import { lintSeeds } from './lint-seeds.ts'

const longFunction = (lines: number) =>
  ['export function seed() {', ...Array(lines).fill("  void 'line'"), '}'].join('\n')

/** One offence each, in a place where the rule applies. */
const offences: { rule: string; path: string; code: string }[] = [
  {
    rule: 'no-floating-promises',
    path: 'server/floating.ts',
    code: 'const later = async () => 1\nexport function seed() {\n  later()\n}',
  },
  {
    rule: 'no-misused-promises',
    path: 'server/misused.ts',
    code: 'const later = async () => true\nexport const seed = () => { if (later()) return 1; return 2 }',
  },
  {
    rule: 'await-thenable',
    path: 'server/await.ts',
    code: 'export const seed = async () => { await 1 }',
  },
  {
    rule: 'switch-exhaustiveness-check',
    path: 'domain/switch.ts',
    code: "export function seed(tone: 'a' | 'b') { switch (tone) { case 'a': return 1 } return 2 }",
  },
  { rule: 'no-explicit-any', path: 'server/any.ts', code: 'export const seed = (x: any) => x' },
  { rule: 'no-non-null-assertion', path: 'web/ui/bang.ts', code: 'export const f = (x?: 1) => x!' },
  { rule: 'ban-ts-comment', path: 'server/ignore.ts', code: '// @ts-ignore\nexport const x = 1' },
  { rule: 'no-default-export', path: 'web/ui/default.ts', code: 'export default 1' },
  {
    rule: 'no-cycle',
    path: 'server/use-cases/one.ts',
    code: "import { b } from '#server/use-cases/two.ts'\nexport const a = () => b",
  },
  {
    rule: 'no-cycle',
    path: 'domain/circle.ts',
    code: "import type { B } from './circle-of-types.ts'\nexport type A = B | null",
  },
  { rule: 'filename-case', path: 'web/ui/BuyForm.tsx', code: 'export const x = 1' },
  {
    rule: 'no-process-env',
    path: 'server/environment.ts',
    code: 'export const x = process.env.PORT',
  },
  {
    rule: 'no-console',
    path: 'server/http/say.ts',
    code: "export const x = () => console.log('')",
  },
  { rule: 'no-restricted-globals', path: 'web/features/stage/a.ts', code: "void fetch('/')" },
  {
    rule: 'no-restricted-properties',
    path: 'domain/clock.ts',
    code: 'export const x = Date.now()',
  },
  {
    rule: 'no-restricted-properties',
    path: 'domain/dice.ts',
    code: 'export const x = Math.random()',
  },
  {
    rule: 'no-restricted-properties',
    path: 'server/use-cases/clock.ts',
    code: 'export const x = Date.now()',
  },
  {
    rule: 'no-restricted-properties',
    path: 'server/http/dice.ts',
    code: 'export const x = Math.random()',
  },
  { rule: 'max-lines-per-function', path: 'server/long.ts', code: longFunction(70) },
  {
    rule: 'rules-of-hooks',
    path: 'web/ui/hooks.tsx',
    code: "import { useState } from 'react'\nexport function useSeed(is: boolean) { if (is) useState(1) }",
  },
  {
    rule: 'exhaustive-deps',
    path: 'web/ui/deps.tsx',
    code: [
      "import { useEffect } from 'react'",
      'export function useSeed(x: () => void) { useEffect(() => { x() }, []) }',
    ].join('\n'),
  },
  {
    rule: 'alt-text',
    path: 'web/ui/image.tsx',
    code: "export const X = () => <img src='/a.png' />",
  },
  {
    rule: 'click-events-have-key-events',
    path: 'web/ui/click.tsx',
    code: 'export const X = () => <div onClick={() => undefined}>a</div>',
  },
  {
    rule: 'no-focused-tests',
    path: 'domain/a.test.ts',
    code: "import { test } from 'vitest'\ntest.only('a', () => {})",
  },
  {
    rule: 'no-disabled-tests',
    path: 'domain/b.test.ts',
    code: "import { test } from 'vitest'\ntest.skip('a', () => {})",
  },
]

const partner = "import { a } from './one.ts'\nexport const b = () => a"

/** What must be allowed, because a file exists for it. */
const exceptions: Record<string, string> = {
  'server/config/config.ts': 'export const x = process.env.PORT',
  'server/main.ts': "console.log('ready')",
  'web/lib/api/call.ts': "export const x = () => fetch('/api')",
  'web/lib/api/stream.ts': "export const x = () => fetch('/api/events')",
  'vite.config.ts': 'export default { port: process.env.PORT }',
  'domain/seed.ts': longFunction(68),
}

const complaints = lintSeeds(
  new Map([
    ...offences.map(({ path, code }) => [path, code] as const),
    ['server/use-cases/two.ts', partner],
    ['domain/circle-of-types.ts', "import type { A } from './circle.ts'\nexport type B = A[]"],
    ...Object.entries(exceptions),
  ]),
)

test.each(offences)('$rule speaks up in $path', ({ rule, path }) => {
  const rules = complaints.filter((complaint) => complaint.path === path).map(({ rule }) => rule)

  expect(rules).toContainEqual(expect.stringContaining(`(${rule})`))
})

test.each(Object.keys(exceptions))('%s may do what it is there for', (path) => {
  expect(complaints.filter((complaint) => complaint.path === path)).toEqual([])
})
