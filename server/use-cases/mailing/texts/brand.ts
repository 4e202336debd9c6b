import type { Project } from '#domain/sale/sale.ts'

/** What people recognise a mail by: the project's logo, or its name if it has none. */
export type Brand = { name: string; logo: Logo | null }

/** A PNG as base64, and the size at which it is shown. */
export type Logo = { png: string; width: number; height: number }

const HEIGHT = 24
const WIDTH_MAX = 240
/** More than a logo needs; a larger one would weigh down every mail. */
const BYTES_MAX = 64 * 1024
/** Where the first chunk of every PNG has its width; the height follows it. */
const SIZE_AT = 16

export function brandOf({ name, pictures }: Pick<Project, 'name' | 'pictures'>): Brand {
  const file = pictures.logo === null ? null : Buffer.from(pictures.logo, 'base64')
  if (pictures.logo === null || file === null || file.length > BYTES_MAX) {
    return { name, logo: null }
  }
  const ratio = file.readUInt32BE(SIZE_AT) / file.readUInt32BE(SIZE_AT + 4)
  const width = Math.min(WIDTH_MAX, Math.round(HEIGHT * ratio))
  return { name, logo: { png: pictures.logo, width, height: Math.round(width / ratio) } }
}
