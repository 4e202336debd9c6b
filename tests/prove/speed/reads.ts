import { API_BASE } from '#contract/endpoint.ts'
import { saleContract } from '#contract/sale.ts'
import { usersContract } from '#contract/users.ts'
import { startCounting } from '#tests/prove/machine.ts'
import { bySize, type Finding, assess, type Proof } from '#tests/prove/proof.ts'
import { startBareServer } from './bare-server.ts'
import { askWith } from './readers.ts'
import { accessTokenOf, addUsers, type SpeedServer, startSpeedServer } from './speed-server.ts'

const CONNECTIONS = 32
const PURCHASES_PER_USER = 5
/** Of what a bare server does with the CPU that it takes for the same body. */
const PUBLIC_SHARE_MIN = 0.5
const PRIVATE_SHARE_MIN = 0.15

type Call = { name: string; path: (user: number) => string; isPrivate: boolean }

/** What a call costs the server beside what the same body costs a bare `node:http`. */
export const reads: Proof = {
  name: 'reads',
  title: 'Reads beside a bare node:http that sends the same bytes',
  kind: 'speed',
  async run(scope) {
    const rounds = bySize(scope, { short: 1, whole: 3, long: 5 })
    const seconds = bySize(scope, { short: 1, whole: 3, long: 5 })
    const server = await startSpeedServer()
    try {
      const users = await addUsers(server, CONNECTIONS)
      await buySome(server.port, users.length)
      const findings: Finding[] = []
      for (const call of callsOf(users)) {
        findings.push(await measure(server, call, { rounds, seconds }))
        scope.say(`    ${findings.at(-1)?.promise}: ${findings.at(-1)?.seen}`)
      }
      return findings
    } finally {
      await server.stop()
    }
  },
}

function callsOf(users: readonly string[]): Call[] {
  const open = (name: string, path: string): Call => ({
    name,
    path: () => API_BASE + path,
    isPrivate: false,
  })
  const own = (name: string, path: string): Call => ({
    name,
    path: (user) => API_BASE + path.replace('{id}', users[user] ?? ''),
    isPrivate: true,
  })
  return [
    open('The stage', saleContract.getActiveStage.path),
    open('Prices', saleContract.getPrices.path),
    open('The project', saleContract.getCurrentProject.path),
    open('The price chart', saleContract.getPriceChart.path),
    own(`A page of ${PURCHASES_PER_USER} transactions`, usersContract.listTransactions.path),
    own('A user’s own record', usersContract.getUser.path),
  ]
}

async function buySome(port: number, users: number): Promise<void> {
  for (let user = 0; user < users; user += 1) {
    for (let nth = 0; nth < PURCHASES_PER_USER; nth += 1) {
      const reply = await fetch(`http://127.0.0.1:${port}${API_BASE}/transactions`, {
        method: 'POST',
        headers: { ...headersOf(user), 'content-type': 'application/json' },
        body: JSON.stringify({ purchase_amount: 100 + nth, purchase_token_id: 'eth' }),
      })
      if (!reply.ok) throw new Error(`A purchase was refused: ${await reply.text()}`)
      await reply.arrayBuffer()
    }
  }
}

/** Each from a network of its own, since what one may reserve is bounded. */
function headersOf(user: number): Record<string, string> {
  return { authorization: `Bearer ${accessTokenOf(user)}`, 'x-forwarded-for': `10.1.${user}.1` }
}

async function measure(
  server: SpeedServer,
  { name, path, isPrivate }: Call,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Finding> {
  const readers = Array.from({ length: CONNECTIONS }, (_, user) => ({
    path: path(user),
    headers: isPrivate ? headersOf(user) : {},
  }))
  const first = await fetch(`http://127.0.0.1:${server.port}${path(0)}`, {
    headers: { ...readers[0]?.headers, 'accept-encoding': 'identity' },
  })
  const body = Buffer.from(await first.arrayBuffer())
  const bare = await startBareServer(body)
  try {
    const task = { readers, seconds }
    const ask = async (port: number, pid: number) => {
      const stopCounting = startCounting([server.postgresPid])
      const { replies } = await askWith({ ...task, port })
      const counted = stopCounting()
      const postgresUs = counted.used(server.postgresPid) / replies
      return { us: counted.used(pid) / replies, postgresUs, wasQuiet: counted.wasQuiet }
    }
    await askWith({ ...task, seconds: 1, port: server.port })
    await askWith({ ...task, seconds: 1, port: bare.port })
    const taken = []
    for (let round = 0; round < rounds; round += 1) {
      const ours = await ask(server.port, server.pid)
      const theirs = await ask(bare.port, bare.pid)
      taken.push({ ours, theirs, share: theirs.us / ours.us })
    }
    const middle = taken.toSorted((one, other) => one.share - other.share)[rounds >> 1]
    if (middle === undefined) throw new Error('There was no round.')
    const shareMin = isPrivate ? PRIVATE_SHARE_MIN : PUBLIC_SHARE_MIN
    const { ours, theirs, share } = middle
    const postgres = isPrivate ? ` and ${ours.postgresUs.toFixed(0)} µs in PostgreSQL` : ''
    return {
      promise: `${name} (${body.length} bytes)`,
      seen:
        `${ours.us.toFixed(1)} µs of the server’s CPU${postgres}, bare ${theirs.us.toFixed(1)} µs: ` +
        `${share.toFixed(2)} of bare`,
      bar: `at least ${shareMin} of bare node:http`,
      // CPU is counted by the kernel, so that others hardly change the share.
      assessment: assess(share >= shareMin),
    }
  } finally {
    await bare.stop()
  }
}
