import { parseSync, type Plugin, Visitor } from 'vite'

/** What the page reads of a call; the rest is for the server and the API document. */
export const READ_OF_CALLS: readonly string[] = ['method', 'path', 'access', 'result', 'events']

/**
 * Removes from the page what it does not read of a call. The server validates inputs, so the
 * schemas for them are not sent.
 */
export function onlyReadOfCalls(): Plugin {
  return {
    name: 'only-read-of-calls',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contract\/(?:delivery\/)?[\w-]+\.ts$/ },
      handler: (code) => ({ code: withoutUnread(code), map: null }),
    },
  }
}

/** The code of a contract file, reduced to what the page reads of each call. */
export function withoutUnread(code: string): string {
  let kept = ''
  let end = 0
  new Visitor({
    CallExpression({ callee, arguments: [declared] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'endpoint') return
      if (declared?.type !== 'ObjectExpression') return
      declared.properties.forEach((property, index, { [index + 1]: next }) => {
        if (property.type !== 'Property' || property.key.type !== 'Identifier') return
        if (READ_OF_CALLS.includes(property.key.name)) return
        kept += code.slice(end, property.start)
        end = next?.start ?? declared.end - 1
      })
    },
  }).visit(parseSync('contract.ts', code).program)
  return kept + code.slice(end)
}
