import * as z from 'zod/mini'

/** A reply whose text is a file for another program; the rest is for whoever carries it there. */
const FileReply = z.object({ text: z.string(), media_type: z.string(), sha256: z.string() })

/** The file in a reply, and what the reply says of it; null if it has none. */
export function findFile(reply: unknown): { text: string; about: object } | null {
  const file = z.safeParse(FileReply, reply)
  if (!file.success || typeof reply !== 'object' || reply === null) return null
  const about = Object.entries(reply).filter(([name]) => name !== 'text')
  return { text: file.data.text, about: Object.fromEntries(about) }
}
