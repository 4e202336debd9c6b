import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What Node's own HTTP keeps with a connection. */
type HttpSocket = Socket & { parser?: object | null }
type HttpInternals = { freeParser?: (parser: object, request: null, socket: Socket) => void }

/** Not documented, so a later Node may not have it; replies then keep their connections. */
const internals: HttpInternals | undefined = process.getBuiltinModule('node:_http_common')

/**
 * Takes a connection from Node's HTTP once the head of its only reply is written, as Node itself
 * does at an upgrade. Parser, request and reply weigh twice as much as all else that a stream
 * keeps, and nothing needs them any more. The connection then has no listeners and no timeout; what
 * its client sends is dropped, and it closes when its client does. False if this Node has no way to
 * do it.
 */
export function releaseFromHttp(response: ServerResponse, socket: HttpSocket): boolean {
  if (!socket.parser || internals?.freeParser === undefined) return false
  response.detachSocket(socket)
  socket.removeAllListeners()
  internals.freeParser(socket.parser, null, socket)
  socket.setTimeout(0)
  socket.allowHalfOpen = false
  // A connection that breaks is closed, and whoever uses it hears of that.
  socket.on('error', ignore)
  socket.resume()
  return true
}

function ignore(): void {}
