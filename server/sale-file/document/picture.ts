import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Reader } from './readers.ts'

const PNG_LENGTH_MAX = 1024 * 1024
const PIXELS_MAX = 4_000_000
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** The length and the name of the first chunk, which is the header. */
const HEADER = Buffer.from('0000000d49484452', 'hex')
/** The last chunk, which is constant. */
const END = Buffer.from('0000000049454e44ae426082', 'hex')
/** What a chunk has besides its data: its length, its name and its checksum. */
const CHUNK_FRAME_LENGTH = 12

/** A PNG as base64, from a file in `folder`, which is the sale file’s, or below it. */
export function picture(folder: string): Reader<string> {
  const expected =
    'the path of a PNG of at most 1 MiB and 4 megapixels, relative to the sale file and inside ' +
    'its folder'
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
    // A symbolic link inside the folder may lead out of it.
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

/**
 * Why a file is not a picture for the pages, as the end of a sentence, or null. It detects a wrong
 * or truncated file. The pixels are not decoded: the operator provides the file, and sees it on the
 * page.
 */
function pngFault(file: Buffer): string | null {
  if (!file.subarray(0, 8).equals(SIGNATURE)) return 'a file of another kind'
  if (!file.subarray(8, 16).equals(HEADER)) return 'one without a header'
  if (!endsAsOne(file)) return 'one that is cut off, or that goes on'
  const width = file.readUInt32BE(16)
  const height = file.readUInt32BE(20)
  const isShown = width > 0 && height > 0 && width * height <= PIXELS_MAX
  return isShown ? null : `one of ${width} × ${height} pixels`
}

/** Whether its chunks lead from one to the next up to the last, with nothing after that. */
function endsAsOne(file: Buffer): boolean {
  let at = SIGNATURE.length
  while (at + CHUNK_FRAME_LENGTH <= file.length) {
    const next = at + CHUNK_FRAME_LENGTH + file.readUInt32BE(at)
    if (file.subarray(at, at + END.length).equals(END)) return next === file.length
    at = next
  }
  return false
}
