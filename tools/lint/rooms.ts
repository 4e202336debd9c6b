/**
 * A lint rule: each room imports only what the table of rooms allows, types included, and imports
 * from outside its own folder use a path from the project's root.
 */
import { posix, relative } from 'node:path'

import type { Room } from './room.ts'
import { rooms } from './room-table.ts'

type Import = { importKind?: string; exportKind?: string; source?: { value?: unknown } | null }
type Context = {
  cwd: string
  filename: string
  report(fault: { node: unknown; message: string }): void
}

const begins = (path: string, start: string) => path === start || path.startsWith(`${start}/`)

/** The room that a file or a folder of ours belongs to. */
export function roomOf(path: string): Room | undefined {
  return rooms
    .filter((room) => begins(path, room.path))
    .toSorted((one, other) => other.path.length - one.path.length)[0]
}

/** The target of an import: a path of ours from the root, or null for a package. */
function targetOf(importer: string, source: string): string | null {
  if (source.startsWith('.')) return posix.join(posix.dirname(importer), source)
  return source.startsWith('#') ? source.slice(1) : null
}

function mayImport(room: Room, target: string): boolean {
  if (roomOf(target) === room) return true
  return room.imports.some((allowed) =>
    allowed.endsWith('/*')
      ? posix.dirname(target) === allowed.slice(0, -2)
      : begins(target, allowed),
  )
}

function mayUse(room: Room, name: string): boolean {
  if (room.inBrowser === true && name.startsWith('node:')) return false
  return room.packages.some((allowed) =>
    allowed.endsWith('*') ? name.startsWith(allowed.slice(0, -1)) : name === allowed,
  )
}

/** Why a file may not import something; null if it may. */
function faultOf(importer: string, source: string, isOfTypes: boolean): string | null {
  const room = roomOf(importer)
  if (room === undefined) return null
  const target = targetOf(importer, source)
  if (target === null) return mayUse(room, source) ? null : room.sentence
  if (source.startsWith('.') && posix.relative(posix.dirname(importer), target).startsWith('..')) {
    return `${room.sentence} A relative import stays in its folder: write #${target}.`
  }
  if (room.typesOnly === true && !isOfTypes) return room.sentence
  return mayImport(room, target) ? null : room.sentence
}

const imports = {
  create(context: Context) {
    const importer = relative(context.cwd, context.filename).replaceAll('\\', '/')
    const check = (node: Import) => {
      const source = node.source?.value
      if (typeof source !== 'string') return
      const isOfTypes = node.importKind === 'type' || node.exportKind === 'type'
      const message = faultOf(importer, source, isOfTypes)
      if (message !== null) context.report({ node: node.source, message })
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    }
  },
}

export default { meta: { name: 'rooms' }, rules: { imports } }
