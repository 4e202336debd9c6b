import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#tools/project.ts'
import { readSources } from './source-files.ts'

const documents = readSources().filter(({ path }) => path.endsWith('.md'))

/** Where the links of a document lead within the project, as paths from its root. */
function linkedPaths(path: string, text: string): string[] {
  const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)[^)]*\)/g)]
  return links.map(([, target = '']) => normalize(join(dirname(path), target)))
}

test('every link between documents leads somewhere', () => {
  const broken = documents.flatMap(({ path, text }) =>
    linkedPaths(path, text)
      .filter((target) => target.startsWith('..') || !existsSync(join(projectRoot, target)))
      .map((target) => ({ path, target })),
  )

  expect(broken).toEqual([])
})

test('a link is followed from where its document is', () => {
  const text = 'See [a](../b.md#part), [c](d.md) and [e](https://example.com).'

  expect(linkedPaths('docs/decisions/0001-x.md', text)).toEqual([
    'docs/b.md',
    'docs/decisions/d.md',
  ])
})

test('every decision stands in the list of them, by its title', () => {
  const folder = 'docs/decisions/'
  const list = documents.find(({ path }) => path === `${folder}README.md`)?.text ?? ''
  const lines = documents.flatMap(({ path, text }) => {
    const title = /^# (\d+\. .+)/.exec(text)?.[1]
    return path.startsWith(folder) && title !== undefined
      ? [`- [${title}](${path.slice(folder.length)})`]
      : []
  })

  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => !list.includes(line))).toEqual([])
})
