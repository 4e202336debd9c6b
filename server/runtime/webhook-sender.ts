import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'

import { Unavailable } from '#domain/unavailable.ts'
import type { WebhookAnswer, WebhookSender } from '#server/ports/webhooks.ts'
import { isPublicAddress } from './public-addresses.ts'

const WITHIN_MS = 10_000
const ANSWER_BYTES_MAX = 64 * 1024
const URL_LENGTH_MAX = 2_000

/** How a host's addresses are found: from the system's name servers, except in tests. */
export type Resolve = (
  hostname: string,
  callback: (fault: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Each name server is asked twice, and has longer the second time. */
const NAME_SERVERS = { timeout: 2_000, tries: 2 }
const NO_SUCH_NAME: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

/**
 * Asks name servers itself: the usual look-up keeps one of the process's few threads until it gives
 * up, and prices, nodes and the database would wait for the names of receivers.
 * @param servers Left out, those of the system.
 */
export function askNameServers(servers?: readonly string[]): Resolve {
  return callbackify(async (hostname: string): Promise<LookupAddress[]> => {
    // A new one each time, since the system's name servers may have changed.
    const resolver = new Resolver(NAME_SERVERS)
    if (servers !== undefined) resolver.setServers(servers)
    const answers = await Promise.allSettled([
      resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(hostname).then((found) => found.map((address) => ({ address, family: 6 }))),
    ])
    const found = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    if (found.length > 0) return found
    const isUnknown = answers.every(
      (each) => each.status === 'rejected' && NO_SUCH_NAME.includes(each.reason.code),
    )
    const code = isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN'
    throw Object.assign(new Error('The name has no address'), { code })
  })
}

type Options = {
  /** Whether `localhost` is allowed, even without TLS: in a sandbox, for trying things out. */
  isSandbox: boolean
  withinMs?: number
  resolve?: Resolve
}

/**
 * Sends webhooks only to the public internet. Whoever may connect other software must not use it to
 * reach what only this machine or its network may (server-side request forgery): addresses are
 * checked as the connection is made, so that a name that leads elsewhere by then is refused too.
 */
export function createWebhookSender(options: Options): WebhookSender {
  const { isSandbox, withinMs = WITHIN_MS, resolve = askNameServers() } = options
  const check = (url: string) => faultOf(url, isSandbox)
  return {
    faultOf: check,
    async post({ url, headers, body, stop }) {
      const refused = check(url)
      if (refused !== null) throw new Unavailable(refused)
      const timeout = AbortSignal.timeout(withinMs)
      const signal = AbortSignal.any([timeout, stop])
      const target = new URL(url)
      try {
        const lookup = isSandbox && isLocal(target) ? undefined : createLookup(resolve)
        return await post(target, { headers, body, signal, lookup })
      } catch (fault) {
        if (fault instanceof Unavailable) throw fault
        if (timeout.aborted) throw new Unavailable(`Did not answer within ${withinMs / 1000} s`)
        throw new Unavailable(explain(fault))
      }
    },
  }
}

function faultOf(text: string, isSandbox: boolean): string | null {
  if (text.length > URL_LENGTH_MAX || !URL.canParse(text)) return 'Give a full address: https://…'
  const url = new URL(text)
  const mayBeLocal = isSandbox && isLocal(url)
  if (url.protocol !== 'https:' && !(mayBeLocal && url.protocol === 'http:')) {
    return isSandbox
      ? 'Give an address that begins with https://, or with http://localhost'
      : 'Give an address that begins with https://'
  }
  if (url.username !== '' || url.password !== '') {
    return 'Leave user name and password out of the address: webhooks are signed instead'
  }
  const host = hostOf(url)
  if (mayBeLocal) return null
  const isPublic = isIP(host) === 0 ? !isLocal(url) : isPublicAddress(host)
  return isPublic ? null : PRIVATE
}

const PRIVATE = 'This is an address of a private network or of this machine. Give a public one'

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

const isLocal = (url: URL) => ['localhost', '127.0.0.1', '::1'].includes(hostOf(url))

/** Returns only checked addresses to the connection; none if one of them is refused. */
function createLookup(resolve: Resolve): LookupFunction {
  return (hostname, { all }, callback) =>
    resolve(hostname, (fault, addresses) => {
      if (fault !== null) return callback(fault, '')
      const [first] = addresses
      const isRefused = addresses.some(({ address }) => !isPublicAddress(address))
      if (first === undefined || isRefused) {
        return callback(
          new Unavailable(`${hostname} leads to a private address, which is refused`),
          '',
        )
      }
      if (all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
}

type Post = {
  headers: Record<string, string>
  body: string
  signal: AbortSignal
  lookup: LookupFunction | undefined
}

function post(url: URL, { headers, body, signal, lookup }: Post): Promise<WebhookAnswer> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      signal,
      // A new connection for each call, so that each has its address checked.
      agent: false,
      ...(lookup && { lookup }),
    })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      drain(answer).then(() => resolve({ status: answer.statusCode ?? 0 }), reject)
    })
    sent.end(body)
  })
}

/** Lets the reply end in an orderly way, unless it is too long to wait for. */
async function drain(answer: IncomingMessage): Promise<void> {
  let size = 0
  for await (const chunk of answer) {
    size += (chunk as Uint8Array).byteLength
    if (size > ANSWER_BYTES_MAX) return
  }
}

const sentences: Record<string, string> = {
  ENOTFOUND: 'The host’s name is not known',
  EAI_AGAIN: 'The host’s name could not be looked up',
  ECONNREFUSED: 'The host refused the connection',
  ECONNRESET: 'The connection was broken',
  CERT_HAS_EXPIRED: 'Its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is not signed by a known authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is not signed by a known authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate is not signed by a known authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another host',
}

/** In our own words: a library's message may contain addresses inside the network. */
function explain(fault: unknown): string {
  const code = fault instanceof Error && 'code' in fault ? String(fault.code) : ''
  return sentences[code] ?? 'Could not be reached'
}
