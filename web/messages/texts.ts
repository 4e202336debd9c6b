import type { Translate } from '#web/lib/api/call.ts'
import type * as english from './en/all.ts'

/** Every text of a language. */
export type Texts = typeof english

/** A language other than English, in which the server has no sentences of its own. */
export interface Translation extends Texts {
  refusals: Translate
}
