import type { RefusalReason } from '#domain/refusal.ts'
import type { CallFault } from './call.ts'

/** What a sentence may take from the server's one. */
export interface Figures {
  /** The amounts that it names, in their order. */
  dollars: string[]
  /** Minutes to wait; null if time alone does not help. */
  minutes: number | null
}

type Sentence = string | ((figures: Figures) => string)

/** The sentences of refusals in another language than the server's. */
export interface FaultTexts {
  reasons: Partial<Record<RefusalReason, Sentence>>
  /** Of single fields, by the word for what is wrong, where there is one. */
  codes: Readonly<Record<string, string>>
  /** By the English sentence, of what has no reason or no word of its own. */
  sentences: Readonly<Record<string, string>>
  /** By the field, where neither is known: what is to be entered there. */
  fields: Readonly<Record<string, string>>
}

/** Says a refusal in these texts; what they have nothing for stays as the server said it. */
export function translateFault(texts: FaultTexts, fault: CallFault): CallFault {
  const { message, reason, errors } = fault
  const sentence = ownOf(texts.reasons, reason) ?? ownOf(texts.sentences, message ?? '')
  return {
    ...fault,
    message:
      message === null || sentence === undefined
        ? message
        : typeof sentence === 'string'
          ? sentence
          : sentence(figuresOf({ ...fault, message })),
    errors: errors?.map(({ path, message: english, code }) => {
      const known =
        ownOf(texts.codes, code ?? '') ??
        ownOf(texts.sentences, english) ??
        ownOf(texts.fields, path)
      return { path, code, message: known ?? english }
    }),
  }
}

interface Stated {
  message: string
  retryAfterSeconds?: number | undefined
}

function figuresOf({ message, retryAfterSeconds: seconds }: Stated): Figures {
  return {
    dollars: message.match(/\$\d[\d,]*(?:\.\d+)?/g) ?? [],
    minutes: seconds === undefined ? null : Math.ceil(seconds / 60),
  }
}

/** What a table has of its own under a name that was sent. */
function ownOf<Name extends string, Value>(
  table: Readonly<Partial<Record<Name, Value>>>,
  name: Name,
): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
