import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Room } from '#tools/lint/room.ts'
import { rooms } from '#tools/lint/room-table.ts'
import { projectRoot } from '#tools/project.ts'

type Import = [importer: string, imported: string]

const isTypesOnly = (name: string) =>
  rooms.some(({ path, typesOnly }) => path === name && typesOnly === true)

/** The part of the picture that a path belongs to: an outer room, or an inner one of the server. */
function drawnRoomOf(path: string): string {
  const [outer = '', inner] = path.replace(/\/\*$/, '').split('/')
  return outer === 'server' && inner !== undefined ? `server/${inner}` : outer
}

/** The imports between drawn rooms, without those to the domain that another import implies. */
function drawnImports(table: readonly Room[]): Import[] {
  const imports = table.flatMap(({ path, imports: allowed }) =>
    allowed.map((each): Import => [drawnRoomOf(path), drawnRoomOf(each)]),
  )
  const shown = imports.filter(
    ([importer, imported]) =>
      importer !== imported && !isTypesOnly(importer) && !isTypesOnly(imported),
  )
  const isOnlyOne = (importer: string) =>
    shown.every(([other, imported]) => other !== importer || imported === 'domain')
  const needed = shown.filter(
    ([importer, imported]) => imported !== 'domain' || isOnlyOne(importer),
  )
  return [...new Map(needed.map((each) => [each.join(), each])).values()]
}

const idOf = (name: string) => name.replace('server/', '')

/** The picture of the rooms, as ARCHITECTURE.md has it. */
function drawRooms(table: readonly Room[]): string {
  const imports = drawnImports(table)
  const names = [...new Set(imports.flat())]
  const inner = names.filter((name) => name.startsWith('server/'))
  return [
    '```mermaid',
    'graph TD',
    '  subgraph server',
    '    main["main.ts: imports all of it"]',
    ...inner.map((name) => `    ${idOf(name)}`),
    '  end',
    ...imports.map(([importer, imported]) => `  ${idOf(importer)} --> ${idOf(imported)}`),
    '```',
  ].join('\n')
}

test('an import between rooms is an arrow, and one to the domain only where there is no other', () => {
  const room = (path: string, ...imports: string[]) => ({
    path,
    imports,
    packages: [],
    sentence: '',
  })
  const table = [
    room('web/ui', 'web/lib', 'contract', 'domain'),
    room('web/screens', 'contract'),
    room('server/mail', 'domain/sale', 'server/ports'),
  ]

  expect(drawnImports(table)).toEqual([
    ['web', 'contract'],
    ['server/mail', 'domain'],
  ])
})

test('the picture in ARCHITECTURE.md shows the table of rooms', () => {
  const text = readFileSync(join(projectRoot, 'ARCHITECTURE.md'), 'utf8')
  const picture = drawRooms(rooms)
  const message = `The rooms have changed. Replace the picture in ARCHITECTURE.md by:\n\n${picture}\n`

  expect(/^```mermaid\n.*?^```/ms.exec(text)?.[0], message).toBe(picture)
})
