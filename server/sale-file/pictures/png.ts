import { crc32, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
export const PNG_LENGTH_MAX = 1024 * 1024
const PIXELS_MAX = 4_000_000
const PALETTE = 3
/** Colour type to its samples a pixel and its bit depths; PNG specification, section 11.2.1. */
const COLOURS: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  [PALETTE]: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}
/** The seven passes of an interlaced picture: first column and row, and the steps from there. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const FILTER_MAX = 4

export const PNG_EXPECTED = 'a PNG of at most 1 MiB and 4 megapixels'

/**
 * What keeps a file from being a picture for the pages, as the end of a sentence; null if nothing.
 * The pixels are unpacked, into no more room than the header asks for: a file that a browser could
 * not show, or that holds something beside its picture, is told here and not to visitors.
 */
export function pngFault(file: Buffer): string | null {
  if (file.length > PNG_LENGTH_MAX) return `one of ${file.length} bytes`
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return 'a file of another kind'
  const read = readChunks(file)
  if (read === null) return 'one that is damaged or cut off'
  const { chunks, end } = read
  const header = readHeader(chunks[0])
  if (header === null) return 'one without a header'
  if (!isKnownFormat(header)) return 'one whose header makes no sense'
  const { width, height } = header
  if (width === 0 || height === 0 || width * height > PIXELS_MAX) {
    return `one of ${width} × ${height} pixels`
  }
  if (end !== file.length) return `one with ${file.length - end} bytes of something else behind it`
  const packed = chunks.filter(({ type }) => type === 'IDAT').map(({ body }) => body)
  if (packed.length === 0) return 'one without a picture'
  const hasPalette = chunks.some(({ type }) => type === 'PLTE')
  if (header.colour === PALETTE && !hasPalette) return 'one without the palette it needs'
  return hasItsPixels(Buffer.concat(packed), header) ? null : 'one whose pixels cannot be read'
}

type Chunk = { type: string; body: Buffer }

/** The chunks up to the end mark, and where that ends; null where one is damaged or cut off. */
function readChunks(file: Buffer): { chunks: Chunk[]; end: number } | null {
  const chunks: Chunk[] = []
  let at = SIGNATURE.length
  while (at + 12 <= file.length) {
    const end = at + 8 + file.readUInt32BE(at)
    if (end + 4 > file.length) return null
    if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return null
    const type = file.toString('latin1', at + 4, at + 8)
    if (type === 'IEND') return { chunks, end: end + 4 }
    chunks.push({ type, body: file.subarray(at + 8, end) })
    at = end + 4
  }
  return null
}

type Header = {
  width: number
  height: number
  depth: number
  colour: number
  compression: number
  filter: number
  interlace: number
}

function readHeader(chunk: Chunk | undefined): Header | null {
  if (chunk?.type !== 'IHDR' || chunk.body.length !== 13) return null
  const [depth = 0, colour = 0, compression = 0, filter = 0, interlace = 0] = chunk.body.subarray(8)
  const width = chunk.body.readUInt32BE(0)
  const height = chunk.body.readUInt32BE(4)
  return { width, height, depth, colour, compression, filter, interlace }
}

function isKnownFormat({ depth, colour, compression, filter, interlace }: Header): boolean {
  const isKnownDepth = COLOURS[colour]?.depths.includes(depth) === true
  return isKnownDepth && compression === 0 && filter === 0 && interlace <= 1
}

/** True where `packed` holds the lines that the header asks for, each with a known filter. */
function hasItsPixels(packed: Buffer, header: Header): boolean {
  const lines = linesOf(header)
  const length = lines.reduce((sum, { count, bytes }) => sum + count * bytes, 0)
  const pixels = unpack(packed, length)
  if (pixels?.length !== length) return false
  let at = 0
  for (const { count, bytes } of lines) {
    for (let line = 0; line < count; line += 1, at += bytes) {
      if ((pixels[at] ?? 0) > FILTER_MAX) return false
    }
  }
  return true
}

/** How many lines of how many bytes there are, each with the byte of its filter before it. */
function linesOf(header: Header): { count: number; bytes: number }[] {
  const { width, height, interlace } = header
  const passes = interlace === 0 ? [[0, 0, 1, 1] as const] : PASSES
  const bits = header.depth * (COLOURS[header.colour]?.samples ?? 0)
  return passes.flatMap(([left, top, right, down]) => {
    const columns = Math.ceil((width - left) / right)
    const count = Math.ceil((height - top) / down)
    return columns > 0 && count > 0 ? [{ count, bytes: 1 + Math.ceil((columns * bits) / 8) }] : []
  })
}

/** Null for what cannot be unpacked, or takes more than `length` bytes. */
function unpack(packed: Buffer, length: number): Buffer | null {
  try {
    return inflateSync(packed, { maxOutputLength: length })
  } catch {
    return null
  }
}
