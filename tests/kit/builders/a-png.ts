import { crc32, deflateSync } from 'node:zlib'

/** One chunk of a PNG, with its length before it and its checksum behind it. */
export function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(body.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

type Changes = {
  /** Bytes of the header by their place, which can be made to lie. */
  header?: Partial<Record<number, number>>
  /** What stands in place of the packed lines. */
  packed?: Buffer
  /** Chunks between the header and the picture. */
  more?: Buffer
}

/** A PNG of one grey byte a pixel. */
export function png(
  width: number,
  height: number,
  { header = {}, packed, more }: Changes = {},
): Buffer {
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([8, 0, 0, 0, 0], 8)
  for (const [at, value] of Object.entries(header)) size[Number(at)] = value ?? 0
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', size),
    more ?? Buffer.alloc(0),
    chunk('IDAT', packed ?? deflateSync(Buffer.alloc(height * (width + 1)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
