import { readFileSync } from 'node:fs'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import * as z from 'zod/mini'

import type { Endpoint, Schema } from '#contract/endpoint.ts'
import { contract } from '#contract/contract.ts'

/** A call of the operator's contract as a command. */
export type Command = {
  /** `pause`, or several words, as the path has them. */
  name: string
  endpoint: Endpoint
  /** The arguments after the name, in this order. */
  parameters: readonly string[]
  options: readonly CommandOption[]
}

export type CommandOption = {
  name: string
  /** A list is written with commas. */
  type: 'boolean' | 'list' | 'number' | 'string'
  isRequired: boolean
  part: 'body' | 'query'
}

/** The typed words are not a valid command; the message says what is expected. */
export class WrongCommand extends Error {
  override readonly name = 'WrongCommand'
}

/** The list itself would push the sentence before it off the screen. */
export const LISTED = 'Without a command, all of them are listed: npm run operator'

const PREFIX = '/operator/'

/** What the command can call: its token has no account, and it reads no streams. */
const calls = Object.values(contract)
  .flatMap((group) => Object.values<Endpoint>(group))
  .filter(
    ({ access, permission, events }) =>
      access === 'operator' && permission !== 'own.account' && events === undefined,
  )

export const commands: readonly Command[] = calls.map((endpoint) => {
  const parts = endpoint.path.slice(PREFIX.length).split('/')
  const isParameter = (part: string) => part.startsWith('{')
  return {
    name: parts.filter((part) => !isParameter(part)).join(' '),
    endpoint,
    parameters: parts.filter(isParameter).map((part) => part.slice(1, -1)),
    options: [...optionsOf(endpoint.body, 'body'), ...optionsOf(endpoint.query, 'query')],
  }
})

function optionsOf(schema: Schema | undefined, part: CommandOption['part']): CommandOption[] {
  if (schema === undefined) return []
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.entries(described.properties ?? {}).map(([name, field]) => {
    return {
      name,
      type: typeof field === 'object' ? typeOf(field) : 'string',
      isRequired: described.required?.includes(name) ?? false,
      part,
    }
  })
}

/** A query contains only text, so booleans are enumerations of two values. */
function typeOf(field: { type?: unknown; enum?: unknown }): CommandOption['type'] {
  if (field.type === 'boolean' || String(field.enum) === 'true,false') return 'boolean'
  if (field.type === 'array') return 'list'
  return field.type === 'integer' || field.type === 'number' ? 'number' : 'string'
}

export type TypedCommand = {
  endpoint: Endpoint
  path: string
  query: Record<string, string>
  body: Record<string, unknown> | undefined
}

/** Throws {@link WrongCommand} for an unknown command or missing arguments. */
export function readCommand(words: readonly string[]): TypedCommand {
  const candidates = longestMatches(words)
  const [named] = candidates
  if (named === undefined) {
    throw new WrongCommand(`There is no command "${words.join(' ')}". ${LISTED}`)
  }
  const rest = words.slice(named.name.split(' ').length)
  // `purchases` lists them and `purchases <id>` shows one: the argument after the name decides.
  const count = rest.findIndex((word) => word.startsWith('-'))
  const given = count === -1 ? rest.length : count
  const command = candidates.find(({ parameters }) => parameters.length === given) ?? named
  const { endpoint, options, parameters } = command
  const { values, positionals } = parseWords(command, rest)
  if (positionals.length !== parameters.length) {
    throw new WrongCommand(`Expected: ${candidates.map(spell).join('\n      or: ')}`)
  }
  const parts: Record<CommandOption['part'], Record<string, unknown>> = { body: {}, query: {} }
  for (const { name: option, type, isRequired, part } of options) {
    const value = values[option]
    if (value === undefined && isRequired) {
      throw new WrongCommand(`--${option} is missing. Expected: ${spell(command)}`)
    }
    if (value !== undefined) parts[part][option] = valueOf(option, type, value)
  }
  const path = parameters.reduce(
    (path, parameter, index) =>
      path.replace(`{${parameter}}`, encodeURIComponent(positionals[index] ?? '')),
    endpoint.path,
  )
  const query = Object.fromEntries(
    Object.entries(parts.query).map(([key, value]) => [key, String(value)]),
  )
  return { endpoint, path, query, body: endpoint.body === undefined ? undefined : parts.body }
}

/** Throws {@link WrongCommand} for a file that cannot be read. */
function valueOf(option: string, type: CommandOption['type'], text: unknown): unknown {
  if (type === 'number') return Number(text)
  if (type === 'list') return String(text).split(',')
  // A text too long to type is read from a file: `--text @sales/mine.yaml`.
  if (option !== 'text' || typeof text !== 'string' || !text.startsWith('@')) return text
  try {
    return readFileSync(text.slice(1), 'utf8')
  } catch {
    throw new WrongCommand(`--text names the file ${text.slice(1)}, which cannot be read`)
  }
}

/** The commands with the longest name that the words begin with. */
function longestMatches(words: readonly string[]): Command[] {
  const typed = `${words.join(' ')} `
  const matches = commands.filter(({ name }) => typed.startsWith(`${name} `))
  const longest = Math.max(...matches.map(({ name }) => name.length))
  return matches.filter(({ name }) => name.length === longest)
}

function parseWords(command: Command, words: readonly string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    command.options.map(({ name, type }) => [
      name,
      { type: type === 'boolean' ? 'boolean' : 'string' },
    ]),
  )
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (fault) {
    const what = fault instanceof Error ? fault.message : String(fault)
    throw new WrongCommand(`${what}. Expected: ${spell(command)}`)
  }
}

function spell({ name, parameters, options }: Command): string {
  const words = options.map(({ name: option, type, isRequired }) => {
    const spelt =
      type === 'boolean' ? `--${option}` : `--${option} <${type === 'list' ? 'a,b,…' : type}>`
    return isRequired ? spelt : `[${spelt}]`
  })
  return [name, ...parameters.map((parameter) => `<${parameter}>`), ...words].join(' ')
}

/** All commands, each with what it does. */
export function usage(): string {
  const lines = commands.flatMap((command) => [
    `  ${spell(command)}`,
    `      ${command.endpoint.summary}`,
  ])
  return [
    'npm run operator -- <command>',
    '',
    ...lines,
    '  token',
    '      Prints the operator’s token, for calls by other means.',
    '',
    'Before the command: --url <address> calls another server than the one that runs here,',
    '--json prints the reply as it came, --text @<file> takes a text from a file, and --as ' +
      '<name> says',
    'who you are if your login name does not.',
  ].join('\n')
}
