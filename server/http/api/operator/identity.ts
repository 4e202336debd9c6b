import { instantToWire } from '#contract/codec.ts'
import { identityContract } from '#contract/operator/identity.ts'
import { implement } from '#server/http/routing/implement.ts'
import { endOwnSession } from '#server/use-cases/operators/end-own-session.ts'
import { getSelf } from '#server/use-cases/operators/get-self.ts'

export const identityRoutes = implement(identityContract, {
  getSelf: async (services, _input, operator) => {
    const { sessionExpiresAt, isAlone, permissions, ...self } = await getSelf(services, operator)
    return {
      ...self,
      permissions: [...permissions],
      is_alone: isAlone,
      session_expires_date: instantToWire(sessionExpiresAt),
    }
  },
  signOut: async (services, _input, operator) => {
    await endOwnSession(services, operator)
  },
})
