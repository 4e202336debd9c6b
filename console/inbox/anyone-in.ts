import type { Role } from '#domain/operators/permissions.ts'

/** Whose an item is that nobody has taken: owners and viewers are no department. */
export const anyoneIn = (role: Role): string =>
  role === 'owner' || role === 'viewer' ? `any ${role}` : `anyone in ${role}`
