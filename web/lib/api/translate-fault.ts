import type { RefusalReason } from '#domain/refusal.ts'
import type { CallFault } from './call.ts'

/** The parts of the server's sentence that a translation may use. */
export interface Figures {
  /** The amounts that it names, in their order. */
  dollars: string[]
  /** Minutes to wait; null if time alone does not help. */
  minutes: number | null
  /** Whether what has not started is the next stage, and not the whole sale. */
  isBetweenStages: boolean
}

type Sentence = string | ((figures: Figures) => string)

/** The sentences of refusals in a language other than the server's. */
export interface FaultTexts {
  reasons: Partial<Record<RefusalReason, Sentence>>
  /** For single fields, by the code of what is wrong, if there is one. */
  codes: Readonly<Record<string, string>>
  /** By the English sentence, for refusals without a reason or a code of their own. */
  sentences: Readonly<Record<string, string>>
  /** By field, if neither is known: what has to be entered there. */
  fields: Readonly<Record<string, string>>
}

/** Translates a refusal; whatever has no translation stays as the server wrote it. */
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

function figuresOf(fault: CallFault & { message: string }): Figures {
  const { message, retryAfterSeconds: seconds, is_between_stages } = fault
  return {
    dollars: message.match(/\$\d[\d,]*(?:\.\d+)?/g) ?? [],
    minutes: seconds === undefined ? null : Math.ceil(seconds / 60),
    isBetweenStages: is_between_stages === true,
  }
}

/** A table's own entry under a name that was received. */
function ownOf<Name extends string, Value>(
  table: Readonly<Partial<Record<Name, Value>>>,
  name: Name,
): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
