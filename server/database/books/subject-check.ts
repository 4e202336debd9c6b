import type { RawBuilder } from 'kysely'
import type { Breach } from './breach.ts'

/** What is checked one by one, each by its id. */
export type SubjectKind = 'purchase' | 'user' | 'transfer' | 'mail' | 'snapshot' | 'distribution'

/** A breach of one subject: `subject` is the part of it that is wrong, such as a receipt. */
export type SubjectBreach = Omit<Breach, 'check'> & { owner: string }

export type SubjectCheck = {
  name: string
  kind: SubjectKind
  /** Finds what is broken among the subjects with these ids, using look-ups only. */
  find(ids: readonly string[]): RawBuilder<SubjectBreach>
}
