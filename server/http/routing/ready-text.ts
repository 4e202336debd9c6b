import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import type { Market } from '#domain/sale/sale.ts'
import type { Services } from '#server/services.ts'
import { acceptedCoding } from './accepted-coding.ts'

/** As long as a reading of the market is kept, unless the clock ends it earlier. */
const AGE_MAX_MS = 1_000
/** Below this, compressing saves no packet. */
const COMPRESSED_FROM_BYTES = 1_024
/** Compressed once for thousands of replies, which must still take only a millisecond or two. */
const BROTLI_QUALITY = 5
/** Copying a larger body to its headers takes longer than sending it as a second piece. */
const IN_ONE_PIECE_MAX_BYTES = 4_096
/** Shared calls have few inputs: this only limits the damage of a mistake. */
const TEXTS_MAX = 100

const JSON_TYPE = 'application/json; charset=utf-8'
/** Headers that belong to one reply, and not to its text. */
const OF_ONE_REPLY = new Set(['x-request-id', 'connection', 'set-cookie', 'date'])

type Coding = 'br' | 'gzip' | 'identity'
/**
 * What is sent: the body, and the names and values of its headers in alternation. A small body is a
 * string whose characters are its bytes (latin1): Node sends it in one piece with the headers.
 */
type Form = { body: string | Buffer; headers: string[] }

/** The reply to a call, as it is sent to everybody. */
type ReadyText = {
  plain: Buffer
  etag: string
  /** What is sent to clients that already have the text. */
  known: Form
  /** In the codings that were asked for so far. */
  forms: Map<Coding, Form>
}

type Entry = {
  /** What it was made from: another reading requires another text. */
  reading: Promise<Market>
  fromMs: number
  untilMs: number
  making: Promise<ReadyText>
  /** Null until it is made. */
  text: ReadyText | null
}

/** A call with the same reply for everybody who may make it. */
type SharedCall = {
  /** One for each call and input. */
  key: string
  /** Makes the body if necessary: the result as its schema declares it. */
  make: () => Promise<unknown>
  /** True if anybody may make the call, so that nothing has to be looked up first. */
  isOpen: boolean
  /** True if its address is written in the usual way, the only one worth caching. */
  isPlainAddress: boolean
}

export type ReadyTexts = {
  /** Replies with the text for this reading of the market, which the first caller has made. */
  send(request: FastifyRequest, reply: FastifyReply, call: SharedCall): Promise<FastifyReply>
}

/**
 * Keeps the replies that are the same for everybody: each is made, validated and compressed once
 * for a reading of the market, and then sent as it is. A notified change ends the reading, and with
 * it the text, before any listener hears of it, so nobody sees an older state afterwards. Adds a
 * hook that replies at once with what is ready; add it before all others.
 */
export function addReadyTexts(app: FastifyInstance, services: Services): ReadyTexts {
  const entries = new Map<string, Entry>()
  const byAddress = new Map<string, Entry>()
  const { market, clock } = services

  const isCurrent = ({ reading, fromMs, untilMs }: Entry) => {
    const nowMs = clock.now().getTime()
    return nowMs >= fromMs && nowMs < untilMs && market.read() === reading
  }

  function renew(call: SharedCall, reply: FastifyReply): Entry {
    const before = entries.get(call.key)
    if (before !== undefined && isCurrent(before)) return before
    const fromMs = clock.now().getTime()
    const nextBoundaryMs =
      boundariesOf(services.sale).find((boundaryMs) => boundaryMs > fromMs) ?? Infinity
    const entry: Entry = {
      reading: market.read(),
      fromMs,
      untilMs: Math.min(fromMs + AGE_MAX_MS, nextBoundaryMs),
      making: makeText(call, before?.text ?? null, reply),
      text: null,
    }
    if (entries.size >= TEXTS_MAX) entries.clear()
    entries.set(call.key, entry)
    const drop = () => {
      if (entries.get(call.key) === entry) entries.delete(call.key)
    }
    entry.making.then((text) => (entry.text = text), drop)
    return entry
  }

  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', (request, reply, done) => {
    const { method, url = '' } = request.raw
    const entry = method === 'GET' || method === 'HEAD' ? byAddress.get(url) : undefined
    const text = entry !== undefined && !isClosing && isCurrent(entry) ? entry.text : null
    const form = text === null ? null : findForm(text, request)
    if (text === null || form === null) {
      done()
      return
    }
    reply.hijack()
    const status = form === text.known ? 304 : 200
    reply.raw.writeHead(status, [...form.headers, 'x-request-id', request.id])
    reply.raw.end(form.body, 'latin1')
  })

  return {
    async send(request, reply, call) {
      const entry = renew(call, reply)
      const text = await entry.making
      if (call.isOpen && call.isPlainAddress) byAddress.set(request.raw.url ?? '', entry)
      const form = findForm(text, request) ?? (await addForm(text, codingFor(text, request)))
      for (let at = 0; at < form.headers.length; at += 2) {
        reply.header(form.headers[at] ?? '', form.headers[at + 1])
      }
      return form === text.known ? reply.code(304).send() : reply.send(bytesOf(form.body))
    },
  }
}

const bytesOf = (body: string | Buffer) =>
  typeof body === 'string' ? Buffer.from(body, 'latin1') : body

const boundariesBySale = new WeakMap<Services['sale'], readonly number[]>()

/** The instants at which the clock alone changes the state of the sale, in order. */
function boundariesOf(sale: Services['sale']): readonly number[] {
  const known = boundariesBySale.get(sale)
  if (known !== undefined) return known
  const boundaries = [...sale.stages, ...sale.banners]
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    .flatMap((at) => (at === null ? [] : [at.getTime()]))
    .toSorted((one, other) => one - other)
  boundariesBySale.set(sale, boundaries)
  return boundaries
}

/** The previous text is kept with its compressed forms if nothing has changed. */
async function makeText(
  { make, isOpen }: SharedCall,
  before: ReadyText | null,
  reply: FastifyReply,
): Promise<ReadyText> {
  const plain = Buffer.from(JSON.stringify(await make()))
  if (before?.plain.equals(plain)) return before
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  // Weak: one for all codings of a body.
  const etag = `W/"${hash}"`
  const shared = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    OF_ONE_REPLY.has(name) || value === undefined ? [] : [[name, String(value)] as const],
  )
  const headers = new Map(shared)
  // Clients ask again each time, which costs a few bytes, so that nobody sees an older state.
  headers.set('cache-control', isOpen ? 'no-cache' : 'private, no-cache')
  headers.set('vary', 'accept-encoding')
  headers.set('etag', etag)
  const known = { body: '', headers: [...headers].flat() }
  return { plain, etag, known, forms: new Map() }
}

/** The form for this request; null if it has to be compressed first. */
function findForm(text: ReadyText, request: FastifyRequest): Form | null {
  const given = request.raw.headers['if-none-match']
  if (given !== undefined && matches(given, text.etag)) return text.known
  return text.forms.get(codingFor(text, request)) ?? null
}

/** By weak comparison, as the header requires, also in a list. */
function matches(given: string, etag: string): boolean {
  if (given === etag) return true
  return given.split(',').some((part) => {
    const each = part.trim()
    return each === '*' || each === etag || `W/${each}` === etag
  })
}

function codingFor({ plain }: ReadyText, request: FastifyRequest): Coding {
  if (plain.length < COMPRESSED_FROM_BYTES) return 'identity'
  return acceptedCoding(request.raw.headers) ?? 'identity'
}

const compressors: Record<Coding, (plain: Buffer) => Promise<Buffer>> = {
  br: async (plain) =>
    await promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
  gzip: async (plain) => await promisify(gzip)(plain),
  identity: async (plain) => plain,
}

async function addForm(text: ReadyText, coding: Coding): Promise<Form> {
  const body = await compressors[coding](text.plain)
  const made = {
    body: body.length <= IN_ONE_PIECE_MAX_BYTES ? body.toString('latin1') : body,
    headers: [
      ...text.known.headers,
      'content-type',
      JSON_TYPE,
      'content-length',
      String(body.length),
      ...(coding === 'identity' ? [] : ['content-encoding', coding]),
    ],
  }
  const form = text.forms.get(coding) ?? made
  text.forms.set(coding, form)
  return form
}
