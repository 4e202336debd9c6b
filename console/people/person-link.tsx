import { useMay } from '#console/session/self.ts'
import { TextLink } from '#web/ui/actions.tsx'

/** Somebody's address, which leads to their page for people who may see it. */
export function PersonLink({ user: { id, email } }: { user: { id: string; email: string } }) {
  return useMay('people.read') ? <TextLink to={`/people/${id}`}>{email}</TextLink> : email
}
