import type { Services } from '#server/services.ts'
import type { Letter } from './texts/letter.ts'
import type { Message } from './texts/message.ts'

/** Ids of what a mail is about, as it was written into the outbox. */
export type Params = Record<string, string>

/** Writes a mail as things stand now; null where it is obsolete. */
export type Compose = (
  services: Services,
  letter: Letter,
  params: Params,
) => Promise<Message | null>
