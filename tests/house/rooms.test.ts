import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { rooms } from '#tools/lint/room-table.ts'
import { roomOf } from '#tools/lint/rooms.ts'
import { projectRoot } from '#tools/project.ts'

const pathOf = (allowed: string) => allowed.replace(/\/\*$/, '')

test('the table names what is there, and each room once', () => {
  const named = rooms.flatMap(({ path, imports }) => [path, ...imports.map(pathOf)])

  expect(named.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([])
  expect(new Set(rooms.map(({ path }) => path)).size).toBe(rooms.length)
})

test('imports go one way among the rooms', () => {
  // Naming a folder covers that folder's own room: `server` stands for everything in it.
  const below = (path: string) =>
    (roomOf(path)?.imports ?? [])
      .map((allowed) => roomOf(pathOf(allowed))?.path)
      .filter((other) => other !== undefined && other !== path)
  const circles = rooms.flatMap(({ path }) => {
    const seen = new Set<string>()
    const toVisit = below(path)
    for (let next = toVisit.pop(); next !== undefined; next = toVisit.pop()) {
      if (seen.has(next)) continue
      seen.add(next)
      toVisit.push(...below(next))
    }
    return seen.has(path) ? [path] : []
  })

  expect(circles).toEqual([])
})
