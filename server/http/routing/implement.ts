import type {
  Endpoint,
  EventOf,
  ParsedInputOf,
  ResultOf,
  RowOf,
  Schema,
} from '#contract/endpoint.ts'
import type { Caller, Client } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import type { StartedSession } from './operator-cookie.ts'

export type Group = Record<string, Endpoint>

type CallerOf<E extends Endpoint> = E['access'] extends 'user'
  ? Caller
  : E['access'] extends 'optional'
    ? Caller | null
    : E['access'] extends 'operator'
      ? Operator
      : null

/** Subscribes to events; returns the function that unsubscribes. */
export type Subscribe<Event> = (emit: (event: Event) => void) => () => void

export type EventSource<Event> = {
  /** Events that concern only its caller. */
  own: Subscribe<Event>
  /** Events that are the same on every stream of this call; one subscription serves them all. */
  forAll: Subscribe<Event>
}

type AnswerOf<E extends Endpoint> = E['events'] extends Schema
  ? EventSource<EventOf<E>>
  : E['rows'] extends Schema
    ? AsyncGenerator<RowOf<E>[]>
    : E['file'] extends true
      ? SentFile
      : E['session'] extends 'starts'
        ? Started<ResultOf<E>>
        : E['result'] extends Schema
          ? ResultOf<E>
          : void

/** The result of a call that sends a file: its texts, one after the other, are its content. */
export type SentFile = { name: string; mediaType: string; texts: AsyncGenerator<string> }

export type Started<Result> = { session: StartedSession; result: Result }

export type Handler<E extends Endpoint> = (
  services: Services,
  input: ParsedInputOf<E>,
  caller: CallerOf<E>,
  client: Client,
) => Promise<AnswerOf<E>> | AnswerOf<E>

export type Handlers<G extends Group> = { [Name in keyof G]: Handler<G[Name]> }

/** One call of the contract with its handler; input and reply are checked by its schemas. */
export type Route = {
  name: string
  endpoint: Endpoint
  handle: (
    services: Services,
    input: unknown,
    caller: Caller | Operator | null,
    client: Client,
  ) => Promise<unknown>
}

/**
 * Joins a group of the contract with its handlers. It does not compile if a handler is missing or
 * returns something that its call does not declare.
 */
export function implement<G extends Group>(group: G, handlers: Handlers<G>): Route[] {
  return Object.entries(group).map(([name, endpoint]) => {
    // Each handler takes what its endpoint's schemas produce; the types above have proved it.
    const handler = handlers[name] as unknown as LooseHandler
    return {
      name,
      endpoint,
      handle: async (services, input, caller, client) => handler(services, input, caller, client),
    }
  })
}

type LooseHandler = (
  services: Services,
  input: unknown,
  caller: Caller | Operator | null,
  client: Client,
) => unknown
