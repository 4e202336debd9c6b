import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { PNG_EXPECTED, PNG_LENGTH_MAX, pngFault } from './png.ts'
import type { Reader } from '#server/sale-file/document/readers.ts'

/** A picture, as base64. It is a file in `folder`, which is the sale file's, or below it. */
export function picture(folder: string): Reader<string> {
  const expected = `the path of ${PNG_EXPECTED}, relative to the sale file and inside its folder`
  return {
    expected,
    read(place) {
      if (place.text === undefined) return place.mismatch(expected)
      const loaded = loadPicture(folder, place.text)
      if (loaded.ok) return loaded.file.toString('base64')
      return place.fault(`expected ${expected}, found ${loaded.found}`)
    },
  }
}

type Picture = { ok: true; file: Buffer } | { ok: false; found: string }

function loadPicture(folder: string, path: string): Picture {
  const named = JSON.stringify(path)
  if (isAbsolute(path) || isOutside(folder, resolve(folder, path))) {
    return { ok: false, found: `${named}, which is outside` }
  }
  try {
    // A link inside the folder may lead out of it.
    const target = realpathSync(resolve(folder, path))
    if (isOutside(realpathSync(folder), target)) {
      return { ok: false, found: `${named}, which leads outside` }
    }
    const status = statSync(target)
    if (!status.isFile()) return { ok: false, found: `${named}, which is no file` }
    if (status.size > PNG_LENGTH_MAX) {
      return { ok: false, found: `${named} of ${status.size} bytes` }
    }
    const file = readFileSync(target)
    const fault = pngFault(file)
    return fault === null ? { ok: true, file } : { ok: false, found: `${named}, ${fault}` }
  } catch {
    return { ok: false, found: `${named}, which cannot be read` }
  }
}

function isOutside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
}
