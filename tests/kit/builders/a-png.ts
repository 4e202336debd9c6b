import { crc32, deflateSync } from 'node:zlib'

/** One chunk of a PNG, with its length before it and its checksum after it. */
export function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(body.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

/** A PNG with one grey byte per pixel; `packed` can replace its pixels. */
export function png(
  width: number,
  height: number,
  packed = deflateSync(Buffer.alloc(height * (width + 1))),
): Buffer {
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([8, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', size),
    chunk('IDAT', packed),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
