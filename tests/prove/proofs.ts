import { purchases } from './speed/purchases.ts'
import { reads } from './speed/reads.ts'
import { live } from './speed/live.ts'
import { growth } from './speed/growth.ts'
import { logins } from './speed/logins.ts'
import { page } from './speed/page.ts'
import { killsOfEmbedded, killsOfPostgres } from './faults/kills.ts'
import { lastTokens } from './faults/last-tokens.ts'
import { postgresAway } from './faults/postgres-away.ts'
import { stoppedInstance } from './faults/stopped.ts'
import { terminated } from './faults/terminated.ts'
import { wrongClocks } from './faults/clocks.ts'
import { diskFull } from './faults/disk-full.ts'
import { neighbours } from './faults/neighbours.ts'
import { nodeAway } from './faults/node-away.ts'
import { fuzz } from './inputs/fuzz.ts'
import { fates } from './inputs/fates.ts'
import { webhooks } from './inputs/webhooks.ts'
import { clients } from './inputs/clients.ts'
import { dependencies } from './inputs/dependencies.ts'
import { authorisation } from './inputs/authorisation.ts'
import type { Proof } from './proof.ts'

/** All proofs, in the order in which they run: what measures time comes first. */
export const proofs: readonly Proof[] = [
  purchases,
  reads,
  live,
  logins,
  growth,
  page,
  killsOfEmbedded,
  killsOfPostgres,
  lastTokens,
  ...postgresAway,
  stoppedInstance,
  terminated,
  fuzz,
  fates,
  webhooks,
  clients,
  dependencies,
  neighbours,
  wrongClocks,
  diskFull,
  nodeAway,
  authorisation,
]
