/**
 * The operator's command: `npm run operator -- status`. It asks the server with the same settings,
 * or the one at `--url`, over HTTP with the operator's token. Exits with 0, or with 1 and one
 * sentence on standard error.
 */
import { userInfo } from 'node:os'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod/mini'

import { API_BASE, type Endpoint } from '#contract/endpoint.ts'
import { ErrorBody, refusals } from '#contract/error-body.ts'
import { type Config, ConfigFaults, parseConfig, readEnvironment } from '#server/config/config.ts'
import { deriveOperatorToken, readSecretKey } from '#server/config/secret-key.ts'
import type { Secret } from '#server/ports/runtime.ts'
import { LISTED, readCommand, type TypedCommand, usage, WrongCommand } from './commands.ts'
import { showReply } from './show-reply.ts'

/** Checking the books of a large sale takes time. */
const ANSWER_WITHIN_MS = 120_000
/** So does downloading all rows of a large sale. */
const ROWS_WITHIN_MS = 3_600_000

const NOTHING_TO_SAY = 204

/** Faults after which nothing can have been done. */
const NOT_CONNECTED =
  /^(bad port|E(ADDRNOTAVAIL|AI_AGAIN|CONNREFUSED|HOSTUNREACH|NETUNREACH|NOTFOUND)|UND_ERR_CONNECT_TIMEOUT)$/

/** A reply whose text is a file for another program; the rest is for whoever carries it there. */
const FileReply = z.object({ text: z.string(), media_type: z.string(), sha256: z.string() })

/** The message says what to do. */
class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

try {
  const text = await run(process.argv.slice(2))
  if (text !== null) process.stdout.write(`${text}\n`)
} catch (fault) {
  process.stderr.write(`${explain(fault)}\n`)
  process.exitCode = 1
}

/** Null if there is no more to write. */
async function run(words: readonly string[]): Promise<string | null> {
  const { url, isJson, name, rest } = takeOptions(words)
  const [first] = rest
  if (first === undefined || first === 'help') return usage()
  const config = parseConfig(readEnvironment())
  if (first === 'token') return (await findToken(config)).reveal()
  const command = readCommand(rest)
  const address = url ?? addressOf(config)
  const token = await findToken(config)
  const response = await send({ address, token, name: name ?? loginName(), isJson, command })
  if (isStreamed(command.endpoint)) {
    await writeRows(response)
    return null
  }
  if (response.status === NOTHING_TO_SAY) return isJson ? null : 'Done'
  const reply: unknown = await response.json().catch((fault: unknown) => {
    throw noAnswer(address, command.endpoint, fault)
  })
  if (isJson) return JSON.stringify(reply, null, 2)
  const file = findFile(reply)
  if (file === null) return showReply(reply)
  // Its note and its hash are not part of what a wallet reads.
  process.stderr.write(`${showReply(file.about)}\n`)
  process.stdout.write(file.text)
  return null
}

/** The options before the command. */
function takeOptions(words: readonly string[]) {
  let [url, name, isJson, index] = [null as string | null, null as string | null, false, 0]
  for (; words[index]?.startsWith('--'); index += 1) {
    if (words[index] === '--json') isJson = true
    else if (words[index] === '--as') name = readName(words[(index += 1)])
    else if (words[index] === '--url') url = readUrl(words[(index += 1)])
    else throw new WrongCommand(`There is no option ${words[index]} here. ${LISTED}`)
  }
  return { url, isJson, name, rest: words.slice(index) }
}

/** The file in a reply, and what the reply says of it; null if it has none. */
function findFile(reply: unknown): { text: string; about: object } | null {
  const file = z.safeParse(FileReply, reply)
  if (!file.success || typeof reply !== 'object' || reply === null) return null
  const about = Object.entries(reply).filter(([name]) => name !== 'text')
  return { text: file.data.text, about: Object.fromEntries(about) }
}

function readName(text = ''): string {
  if (/^[\x20-\x7e]{1,100}$/.test(text) && text.trim() !== '') return text
  throw new WrongCommand('--as must be a name of 1 to 100 printable ASCII characters')
}

/** The login name, as far as a header can carry it; empty if it is unknown. */
function loginName(): string {
  try {
    return userInfo()
      .username.replaceAll(/[^\x20-\x7e]/g, '?')
      .slice(0, 100)
  } catch {
    return ''
  }
}

function readUrl(text = ''): string {
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (!isWeb) throw new WrongCommand('--url must be an address such as https://presale.example')
  return new URL(text).origin
}

/** The address of a server with these settings on this machine. */
function addressOf({ http: { host, port } }: Config): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

async function findToken({ operatorToken, secretKey, dataFolder }: Config): Promise<Secret> {
  if (operatorToken !== null) return operatorToken
  const key = secretKey ?? (await readSecretKey(dataFolder))
  if (key !== null) return deriveOperatorToken(key)
  throw new CommandFailed(
    `There is no secret key in ${dataFolder} yet. Set OPERATOR_TOKEN, SECRET_KEY or DATA_DIR as ` +
      'they are set for the server, or start the server first',
  )
}

type Sending = {
  address: string
  token: Secret
  name: string
  isJson: boolean
  command: TypedCommand
}

/** Throws {@link CommandFailed} unless the call succeeds. */
async function send({ address, token, name, isJson, command }: Sending): Promise<Response> {
  const { endpoint, path, query, body } = command
  const isRows = isStreamed(endpoint)
  const url = new URL(API_BASE + path, address)
  url.search = new URLSearchParams(query).toString()
  const response = await fetch(url, {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${token.reveal()}`,
      accept: isRows && !isJson ? 'text/csv' : 'application/json',
      ...(name !== '' && { 'operator-name': name }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(isRows ? ROWS_WITHIN_MS : ANSWER_WITHIN_MS),
  }).catch((fault: unknown) => {
    throw noAnswer(address, endpoint, fault)
  })
  if (response.ok) return response
  const { status } = response
  const refusal = z.safeParse(ErrorBody, await response.json().catch(() => null))
  if (refusal.success) throw new CommandFailed(formatRefusal(refusal.data))
  if (status >= 500) throw noAnswer(address, endpoint, new Error(`status ${status}`))
  throw new CommandFailed(`${address} replied ${status}`)
}

/** Once a connection was made, nobody knows whether the act was done. */
function noAnswer(address: string, { method }: Endpoint, fault: unknown): CommandFailed {
  const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault
  const why = cause instanceof Error ? cause.message : String(cause)
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : why
  const message = NOT_CONNECTED.test(code)
    ? `No server answers at ${address}. Start it, set HOST and PORT as they are set for it, or ` +
      'name it with --url'
    : `The server at ${address} does not answer: ${why}. ` +
      (method === 'GET' ? 'Try again' : 'Check whether it was done before you try again')
  return new CommandFailed(message, { cause: fault })
}

/** Rows and files are written as they arrive. */
function isStreamed({ rows, file }: Endpoint): boolean {
  return rows !== undefined || file === true
}

async function writeRows({ body }: Response): Promise<void> {
  if (body === null) return
  try {
    await pipeline(Readable.fromWeb(body), process.stdout, { end: false })
  } catch (cause) {
    throw new CommandFailed('The list was cut short. Discard what arrived and try again', {
      cause,
    })
  }
}

function formatRefusal({ message, reason, errors = [] }: ErrorBody): string {
  const faults = errors.map(({ path, message: fault }) => {
    // A header has no name on the command line.
    return `  ${path === 'operator-name' ? '--as' : path}: ${fault}`
  })
  // Others are not told what of the server's does not answer.
  const isUntold = reason === 'Unavailable' && message === refusals.Unavailable.message
  const cause = isUntold ? ['The log of the server says what it is'] : []
  return [message, ...cause, ...faults].join('\n')
}

function explain(fault: unknown): string {
  const isExpected =
    fault instanceof CommandFailed || fault instanceof WrongCommand || fault instanceof ConfigFaults
  if (isExpected) return fault.message
  if (fault instanceof Error && 'code' in fault && fault.code === 'EACCES') {
    return `${fault.message}. Run this command as the user that runs the server`
  }
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
}
