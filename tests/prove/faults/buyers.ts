import type { Transaction } from '#contract/shapes.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { dice } from '#tests/kit/builders/shuffled.ts'
import { signIpn, writePayment } from '#tests/kit/servers/nowpayments-server.ts'
import type { Answer } from './caller.ts'
import { addressOf, type Ground } from './ground.ts'
import { type Asked, createWitness, type Made, type Witness } from './witness.ts'

type Bought = { data: Transaction }

export type BuyersOptions = {
  ground: Pick<Ground, 'users' | 'gateway' | 'caller'>
  /** Where the nth buyer buys now. */
  addressFor: (index: number) => string
  seed: number
  /** One in this many purchases is paid. */
  paidOneOf?: number
  /** How long a buyer waits before a purchase, at most. */
  thinkMs?: number
  /** Whether servers close while people buy, and so may answer with 502. */
  doServersClose?: boolean
}

export type Buyers = {
  /** What they have seen. */
  witness: Witness
  /** Has everybody buy and pay until the returned function is called, or nobody answers. */
  begin(during: string): { stop(): Promise<void>; firstMade: Promise<void> }
  /** Repeats, with the same key, what was not answered. */
  askAgain(during: string): Promise<void>
  /** Repeats it until everything is answered, but not for ever. */
  askUntilAnswered(): Promise<void>
  /** Sends what the gateway has to send, until it is answered. */
  deliver(): Promise<void>
  /** Pays a purchase if no payment was answered, as chance has it where a server ends soon. */
  payOne(): Promise<void>
  /** Has the simulated chain confirm what was paid. */
  mine(): Promise<void>
}

const PAID_ONE_OF = 4
const THINK_MS = 1_000
const MINE_EVERY_MS = 300
const DELIVER_EVERY_MS = 50
/** So that neither side has to hold thousands of connections. */
const AT_A_TIME = 32
const ASK_AGAIN_MAX = 20

/** Buyers who never stop, and remember the replies that they got. */
export function createBuyers(options: BuyersOptions): Buyers {
  const { ground, addressFor, seed } = options
  const { caller } = ground
  const witness = createWitness()
  const roll = dice(seed)
  let count = 0

  const laterStatuses = options.doServersClose === true ? [503, 502] : [503]

  const note = (what: string, answer: Answer): void => {
    const isLater = laterStatuses.includes(answer.status) && Number(answer.retryAfter) > 0
    if (isLater) witness.refused += 1
    else witness.wrong.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }

  async function ask(asked: Asked): Promise<Made | null> {
    const askedAt = performance.now()
    const answer = await caller
      .call<Bought>(addressFor(asked.index), 'POST', '/transactions', {
        accessToken: asked.user.as.accessToken,
        key: asked.key,
        from: addressOf(asked.index),
        body: { purchase_amount: 10, purchase_token_id: 'eth' },
      })
      .catch((fault: unknown) => {
        witness.lost.push({ askedAt, at: performance.now(), fault: String(fault) })
        throw fault
      })
    if (answer.status !== 201) {
      note('A purchase', answer)
      return null
    }
    const { id, payment_address, payment_amount, created_date } = answer.body.data
    const purchase = { id, payment_address, payment_amount, created_date }
    const made: Made = { ...asked, purchase, paid: 'no' }
    witness.unanswered.delete(asked.key)
    witness.made.set(asked.key, made)
    return made
  }

  async function pay(made: Made): Promise<void> {
    const { payment_address: address, payment_amount: amount, id } = made.purchase
    if (ground.gateway === null) {
      made.paid = 'maybe'
      const answer = await caller.call(addressFor(made.index), 'POST', '/sandbox/payments', {
        body: { address, amount },
      })
      if (answer.status === 201) made.paid = 'yes'
      else note('A payment', answer)
      return
    }
    const payment = ground.gateway.paymentOf(id)
    Object.assign(payment, { status: 'finished', actuallyPaid: amount })
    made.paid = 'yes'
    const body = writePayment(payment, ground.gateway.payments, false)
    witness.webhooks.set(body, { signature: signIpn(body), isAnswered: false })
  }

  async function deliver(): Promise<void> {
    const waiting = [...witness.webhooks].filter(([, { isAnswered }]) => !isAnswered)
    await mapWithConcurrency(waiting, AT_A_TIME, async ([body, webhook]) => {
      const answer = await caller.call(addressFor(0), 'POST', '/webhooks/nowpayments', {
        headers: { 'x-nowpayments-sig': webhook.signature },
        from: addressOf(roll(2 ** 16)),
        body,
      })
      if (answer.status === 200) webhook.isAnswered = true
      else note('A webhook', answer)
    })
  }

  async function mine(): Promise<void> {
    const answer = await caller.call(addressFor(0), 'POST', '/sandbox/blocks', {
      body: { count: 2 },
    })
    if (answer.status !== 200) note('A block', answer)
  }

  async function askAgain(during: string): Promise<void> {
    const startedAt = Date.now()
    await mapWithConcurrency([...witness.unanswered.values()], AT_A_TIME, async (asked) => {
      const made = await ask({ ...asked, during: `${asked.during}, asked again: ${during}` })
      if (made === null) return
      witness.asked += 1
      if (new Date(made.purchase.created_date).getTime() < startedAt) witness.wereMade += 1
    })
  }

  return {
    witness,

    begin(during) {
      const state = { isOver: false }
      let onFirst = () => {}
      const firstMade = new Promise<void>((resolve) => {
        onFirst = resolve
      })
      const buy = async (index: number) => {
        const user = ground.users[index]
        if (user === undefined) return
        while (!state.isOver) {
          await pause(roll(options.thinkMs ?? THINK_MS))
          if (state.isOver) return
          count += 1
          const asked: Asked = { key: `${seed}-${count}`, user, index, during }
          witness.unanswered.set(asked.key, asked)
          const made = await ask(asked)
          if (made === null) continue
          onFirst()
          if (roll(options.paidOneOf ?? PAID_ONE_OF) === 0) await pay(made)
        }
      }
      const keepMining = async () => {
        while (!state.isOver) {
          await mine()
          await pause(MINE_EVERY_MS)
        }
      }
      const keepDelivering = async () => {
        while (!state.isOver) {
          await deliver()
          await pause(DELIVER_EVERY_MS)
        }
      }
      const untilGone = async (work: () => Promise<void>): Promise<void> => {
        while (!state.isOver) {
          try {
            await work()
          } catch (fault) {
            // A caller without a reply waits until somebody asks again.
            if (!isLost(fault)) throw fault
            return
          }
        }
      }
      const all = Promise.all([
        ...ground.users.map((_, index) => untilGone(() => buy(index))),
        untilGone(ground.gateway === null ? keepMining : keepDelivering),
      ])
      // Reported if somebody waits for the end.
      all.catch(() => {})
      return {
        firstMade,
        stop: async () => {
          state.isOver = true
          await all
        },
      }
    },

    askAgain,

    async askUntilAnswered() {
      for (let tries = 0; witness.unanswered.size > 0 && tries < ASK_AGAIN_MAX; tries += 1) {
        await askAgain('the end')
      }
    },

    deliver,

    async payOne() {
      const made = [...witness.made.values()]
      const unpaid = made.find(({ paid }) => paid === 'no')
      const isAnyPaid = made.some(({ paid }) => paid === 'yes')
      if (unpaid !== undefined && !isAnyPaid) await pay(unpaid)
    },

    mine,
  }
}

/** A connection that was refused, reset or closed, as a client sees it. */
export function isLost(fault: unknown): boolean {
  const code = fault instanceof Error && 'code' in fault ? String(fault.code) : ''
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code)
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
