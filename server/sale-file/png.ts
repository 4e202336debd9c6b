import { crc32 } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
export const PNG_LENGTH_MAX = 1024 * 1024
const PIXELS_MAX = 4_000_000
/** Colour type to the bit depths that go with it; PNG specification, section 11.2.1. */
const BIT_DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

export const PNG_EXPECTED = 'a PNG of at most 1 MiB and 4 megapixels'

/**
 * What keeps a file from being a picture for the pages, as the end of a sentence; null if nothing.
 */
export function pngFault(file: Buffer): string | null {
  if (file.length > PNG_LENGTH_MAX) return `one of ${file.length} bytes`
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return 'a file of another kind'
  const chunks = readChunks(file)
  if (chunks === null) return 'one that is damaged or cut off'
  const header = chunks[0]
  if (header?.type !== 'IHDR' || header.body.length !== 13) return 'one without a header'
  const width = header.body.readUInt32BE(0)
  const height = header.body.readUInt32BE(4)
  const [depth, colour, compression, filter, interlace] = header.body.subarray(8)
  const isKnownFormat =
    BIT_DEPTHS[colour ?? -1]?.includes(depth ?? 0) === true &&
    compression === 0 &&
    filter === 0 &&
    (interlace === 0 || interlace === 1)
  if (!isKnownFormat) return 'one whose header makes no sense'
  if (width === 0 || height === 0 || width * height > PIXELS_MAX) {
    return `one of ${width} × ${height} pixels`
  }
  return chunks.some(({ type }) => type === 'IDAT') ? null : 'one without a picture'
}

type Chunk = { type: string; body: Buffer }

/** The chunks up to the end mark; null where one is cut off or fails its checksum. */
function readChunks(file: Buffer): Chunk[] | null {
  const chunks: Chunk[] = []
  let at = SIGNATURE.length
  while (at + 12 <= file.length) {
    const end = at + 8 + file.readUInt32BE(at)
    if (end + 4 > file.length) return null
    if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return null
    const type = file.toString('latin1', at + 4, at + 8)
    if (type === 'IEND') return chunks
    chunks.push({ type, body: file.subarray(at + 8, end) })
    at = end + 4
  }
  return null
}
