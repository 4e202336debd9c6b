import * as z from 'zod/mini'
import { Unavailable } from '#domain/unavailable.ts'
import { type JsonRpc, RpcRefused } from './json-rpc.ts'

/** Calls a node, and returns only answers of the expected form. */
export function createCheckedCalls(rpc: JsonRpc) {
  const strange = (method: string) =>
    new Unavailable(`The node at ${rpc.host} answers ${method} with something else`)

  function check<Schema extends z.ZodMiniType>(
    schema: Schema,
    method: string,
    answer: unknown,
  ): z.infer<Schema> {
    if (answer instanceof RpcRefused) throw answer
    const parsed = z.safeParse(schema, answer)
    if (parsed.success) return parsed.data
    throw strange(method)
  }

  return {
    /** What to throw for an answer of another form. */
    strange,
    check,
    ask: async <Schema extends z.ZodMiniType>(
      schema: Schema,
      method: string,
      ...params: unknown[]
    ): Promise<z.infer<Schema>> => check(schema, method, await rpc.call(method, params)),
    /** The same call with each of several parameters. */
    askEach: async <Schema extends z.ZodMiniType>(
      schema: Schema,
      method: string,
      of: readonly unknown[],
    ): Promise<z.infer<Schema>[]> => {
      const calls = of.map((param) => [param])
      return (await rpc.callEach(method, calls)).map((answer) => check(schema, method, answer))
    },
  }
}
