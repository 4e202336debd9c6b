/**
 * The operator's command: `npm run operator -- status`. It asks the server that runs with the same
 * settings, or the one at `--url`, by HTTP with the operator's token. Exits with 0, or with 1 and
 * one sentence on standard error.
 */
import * as z from 'zod/mini'

import { API_BASE } from '#contract/endpoint.ts'
import { ErrorBody } from '#contract/error-body.ts'
import { type Config, ConfigFaults, parseConfig, readEnvironment } from '#server/config.ts'
import { deriveOperatorToken } from '#server/operator-token.ts'
import { readSecretKey } from '#server/provide-secret-key.ts'
import type { Secret } from '#server/services.ts'
import { readCommand, type TypedCommand, usage, WrongCommand } from './commands.ts'
import { showReply } from './show-reply.ts'

/** Checking the books of a large sale takes its time. */
const ANSWER_WITHIN_MS = 120_000

/** What went wrong, as a sentence that says what to do. */
class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`)
} catch (fault) {
  process.stderr.write(`${explain(fault)}\n`)
  process.exitCode = 1
}

async function run(words: readonly string[]): Promise<string> {
  const { url, isJson, rest } = takeOptions(words)
  const [first] = rest
  if (first === undefined || first === 'help') return usage()
  const config = parseConfig(readEnvironment())
  if (first === 'token') return (await findToken(config)).reveal()
  const command = readCommand(rest)
  const reply = await send(url ?? addressOf(config), await findToken(config), command)
  return isJson ? JSON.stringify(reply, null, 2) : showReply(reply)
}

/** The options that stand before the command. */
function takeOptions(words: readonly string[]) {
  let [url, isJson, index] = [null as string | null, false, 0]
  for (; words[index]?.startsWith('--'); index += 1) {
    if (words[index] === '--json') isJson = true
    else if (words[index] === '--url') url = readUrl(words[(index += 1)])
    else throw new WrongCommand(`There is no option ${words[index]} here.\n\n${usage()}`)
  }
  return { url, isJson, rest: words.slice(index) }
}

function readUrl(text = ''): string {
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (!isWeb) throw new WrongCommand('--url must be an address such as https://presale.example')
  return new URL(text).origin
}

/** Where the server that has these settings listens, as seen from its own machine. */
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

async function send(address: string, token: Secret, command: TypedCommand): Promise<unknown> {
  const { endpoint, path, query, body } = command
  const url = new URL(API_BASE + path, address)
  url.search = new URLSearchParams(query).toString()
  const response = await fetch(url, {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${token.reveal()}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch((cause: unknown) => {
    throw new CommandFailed(
      `No server answers at ${address}. Start it, set HOST and PORT as they are set for it, or ` +
        'name it by --url',
      { cause },
    )
  })
  const reply: unknown = await response.json().catch(() => null)
  if (response.ok) return reply
  const refusal = z.safeParse(ErrorBody, reply)
  const said = refusal.success ? sayRefusal(refusal.data) : `${address} replied ${response.status}`
  throw new CommandFailed(said)
}

function sayRefusal({ message, errors = [] }: ErrorBody): string {
  return [message, ...errors.map(({ path, message: fault }) => `  ${path}: ${fault}`)].join('\n')
}

function explain(fault: unknown): string {
  const isExpected =
    fault instanceof CommandFailed || fault instanceof WrongCommand || fault instanceof ConfigFaults
  if (isExpected) return fault.message
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
}
