import { hash } from '@node-rs/argon2'

import { authContract } from '#contract/auth.ts'
import { API_BASE } from '#contract/endpoint.ts'
import { saleContract } from '#contract/sale.ts'
import { startCounting } from '#tests/prove/machine.ts'
import { bySize, type Finding, assess, type Proof } from '#tests/prove/proof.ts'
import { startHashing } from './hashers.ts'
import { askWith, type Question } from './readers.ts'
import { addUsers, type SpeedServer, startSpeedServer } from './speed-server.ts'

const PASSWORD = 'passw0rd-1815'
const LOGGING_IN = 16
const READING = 8
/** Of what argon2 alone does with the CPU of a login, PostgreSQL's included. */
const SHARE_MIN = 0.8
const READS_SLOWER_MAX = 2
/** As the server hashes, by OWASP. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** What a login costs beside the hash that it has to make, and what reads notice of logins. */
export const logins: Proof = {
  name: 'logins',
  title: 'Logins beside argon2 alone',
  kind: 'speed',
  async run(scope) {
    const rounds = bySize(scope, { short: 1, whole: 3, long: 5 })
    const seconds = bySize(scope, { short: 3, whole: 8, long: 15 })
    const passwordHash = await hash(PASSWORD, parameters)
    const server = await startSpeedServer()
    try {
      await addUsers(server, LOGGING_IN, passwordHash)
      await logIn(server, seconds)
      const taken = []
      for (let round = 0; round < rounds; round += 1) {
        const alone = await hashAlone(passwordHash, seconds)
        const ours = await logIn(server, seconds)
        taken.push({ alone, ours, share: alone / (ours.us + ours.postgresUs) })
      }
      const middle = taken.toSorted((one, other) => one.share - other.share)[rounds >> 1]
      if (middle === undefined) throw new Error('There was no round.')
      const { alone, ours, share } = middle
      const login: Finding = {
        promise: `A login, ${LOGGING_IN} at a time`,
        seen:
          `${(ours.us / 1_000).toFixed(1)} ms of the server’s CPU and ` +
          `${(ours.postgresUs / 1_000).toFixed(1)} ms of PostgreSQL’s, argon2 alone ` +
          `${(alone / 1_000).toFixed(1)} ms: ${share.toFixed(2)} of argon2`,
        bar: `at least ${SHARE_MIN} of argon2 alone`,
        assessment: assess(share >= SHARE_MIN),
      }
      return [login, await readMeanwhile(server, seconds)]
    } finally {
      await server.stop()
    }
  },
}

async function hashAlone(passwordHash: string, seconds: number): Promise<number> {
  const stopCounting = startCounting()
  const { pid, report } = startHashing({ hash: passwordHash, password: PASSWORD, seconds })
  // Counted as long as it lives: starting takes a few hundredths of a second.
  await new Promise((resolve) => setTimeout(resolve, seconds * 900))
  const us = stopCounting().used(pid)
  return us / ((await report) * 0.9)
}

let roundsAsked = 0

async function logIn(server: SpeedServer, seconds: number) {
  const readers = loginQuestions((roundsAsked += 1))
  const stopCounting = startCounting([server.postgresPid])
  const { replies } = await askWith({ port: server.port, readers, seconds })
  const counted = stopCounting()
  return {
    us: counted.used(server.pid) / replies,
    postgresUs: counted.used(server.postgresPid) / replies,
  }
}

/** Each from a network of its own, as a buyer’s; another each round, as few logins are let in. */
function loginQuestions(round: number): Question[] {
  return Array.from({ length: LOGGING_IN }, (_, user) => ({
    path: API_BASE + authContract.login.path,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.${round}.${user}.1` },
    body: JSON.stringify({ email: `user-${user}@example.com`, password: PASSWORD }),
  }))
}

async function readMeanwhile(server: SpeedServer, seconds: number): Promise<Finding> {
  const readers = Array.from({ length: READING }, () => ({
    path: API_BASE + saleContract.getActiveStage.path,
    headers: {},
  }))
  const read = async () => (await askWith({ port: server.port, readers, seconds })).latenciesMs.p99
  const stopCounting = startCounting([server.postgresPid])
  const alone = await read()
  const [meanwhile] = await Promise.all([read(), logIn(server, seconds)])
  const { wasQuiet } = stopCounting()
  return {
    promise: 'Reads while people log in',
    seen: `p99 of ${meanwhile.toFixed(1)} ms, ${alone.toFixed(1)} ms alone`,
    bar: `at most ${READS_SLOWER_MAX} times`,
    assessment: assess(meanwhile <= alone * READS_SLOWER_MAX, wasQuiet),
  }
}
