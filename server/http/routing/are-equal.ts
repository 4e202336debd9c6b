import { createHash, timingSafeEqual } from 'node:crypto'

/** Takes equally long wherever two texts differ; hashes are of one length. */
export function areEqual(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
