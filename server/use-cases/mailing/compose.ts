import type { Services } from '#server/services.ts'
import type { Letter, Message } from './texts/letter.ts'

/** Ids of what a mail is about, as stored in the outbox. */
export type Params = Record<string, string>

/** Writes a mail from the present state; null if it is obsolete. */
export type Compose = (
  services: Services,
  letter: Letter,
  params: Params,
) => Promise<Message | null>
