/**
 * Buyers who do nothing but make purchases, each on a connection of its own that stays open. They
 * speak HTTP over a bare socket and share a process apart from the server's, so that as little as
 * possible of the machine goes into asking. Started by `bench.ts`; prints one line of JSON.
 */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { API_BASE } from '#contract/endpoint.ts'
import { transactionsContract } from '#contract/transactions.ts'

export type BuyersTask = {
  port: number
  buyers: number
  seconds: number
  /** The access token of account number `n` is this with `n` behind it. */
  tokenPrefix: string
  firstAccount: number
  purchasesPerAccount: number
}

export type BuyersReport = {
  purchases: number
  /** Accounts that were used, from the first one on. */
  accounts: number
  latenciesMs: { p50: number; p99: number }
  /** The first reply that was no purchase, if any was. */
  failure: string | null
}

const path = API_BASE + transactionsContract.createTransaction.path
const body = JSON.stringify({ purchase_amount: 100, purchase_token_id: 'eth' })

if (import.meta.main) {
  const task = JSON.parse(process.argv[2] ?? '{}') as BuyersTask
  process.stdout.write(`${JSON.stringify(await runBuyers(task))}\n`)
}

async function runBuyers(task: BuyersTask): Promise<BuyersReport> {
  const latencies: number[] = []
  let nextAccount = task.firstAccount
  let failure: string | null = null
  const endsAt = performance.now() + task.seconds * 1_000
  const buy = async (): Promise<void> => {
    const connection = await openConnection(task.port)
    for (let account = nextAccount++; ; account = nextAccount++) {
      for (let made = 0; made < task.purchasesPerAccount; made += 1) {
        if (performance.now() >= endsAt || failure !== null) return connection.close()
        const startedAt = performance.now()
        const reply = await connection.post(task.tokenPrefix + account, addressOf(account))
        if (!reply.startsWith('HTTP/1.1 201 ')) failure ??= reply
        latencies.push(performance.now() - startedAt)
      }
    }
  }
  await Promise.all(Array.from({ length: task.buyers }, buy))
  latencies.sort((one, other) => one - other)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return {
    purchases: latencies.length,
    accounts: nextAccount - task.firstAccount,
    latenciesMs: { p50: at(0.5), p99: at(0.99) },
    failure,
  }
}

/** In a network of the account's own, since what one network may reserve is bounded. */
function addressOf(account: number): string {
  return `10.${(account >> 8) & 255}.${account & 255}.1`
}

async function openConnection(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let received = ''
  let finish: ((reply: string) => void) | null = null
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk
    if (finish === null || received.length < lengthOfReply(received)) return
    const [done, reply] = [finish, received]
    received = ''
    finish = null
    done(reply)
  })
  socket.on('close', () => finish?.('The connection was closed'))
  return {
    post: (accessToken: string, address: string) =>
      new Promise<string>((resolve) => {
        finish = resolve
        socket.write(
          `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: keep-alive\r\n` +
            `x-forwarded-for: ${address}\r\n` +
            `authorization: Bearer ${accessToken}\r\nidempotency-key: ${randomUUID()}\r\n` +
            `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        )
      }),
    close: () => {
      socket.end()
    },
  }
}

/** Infinite as long as the head is not complete. */
function lengthOfReply(received: string): number {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return Infinity
  const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1]
  return headEnd + 4 + Number(length ?? 0)
}
