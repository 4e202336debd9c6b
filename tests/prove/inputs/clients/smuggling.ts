import { openRaw } from './connections.ts'

const HIDDEN = 'GET /healthz?hidden HTTP/1.1\r\nhost: x\r\n\r\n'
const head = (lines: string) =>
  `POST /api/v1/auth/logout HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${lines}`

/**
 * Requests of which two readers could see different ends, each with a second request hidden in what
 * one of them takes for a body.
 */
const SMUGGLED: Readonly<Record<string, string>> = {
  'a length and a transfer coding': head(
    `content-length: ${5 + HIDDEN.length}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  ),
  'a transfer coding and a length': head(
    `transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n${HIDDEN}`,
  ),
  'two lengths': head(`content-length: 0\r\ncontent-length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`),
  'one length, twice': head(`content-length: 0, ${HIDDEN.length}\r\n\r\n${HIDDEN}`),
  'a length with a sign': head(`content-length: +0\r\n\r\n${HIDDEN}`),
  'a length in hexadecimal': head(`content-length: 0x0\r\n\r\n${HIDDEN}`),
  'a negative length': head(`content-length: -1\r\n\r\n${HIDDEN}`),
  'a length beyond all numbers': head(`content-length: 99999999999999999999\r\n\r\n${HIDDEN}`),
  'an unknown transfer coding': head(`transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN}`),
  'two transfer codings': head(
    `transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n0\r\n\r\n${HIDDEN}`,
  ),
  'a blank before the colon': head(`transfer-encoding : chunked\r\n\r\n0\r\n\r\n${HIDDEN}`),
  'a vertical tab in a coding': head(`transfer-encoding: \vchunked\r\n\r\n0\r\n\r\n${HIDDEN}`),
  'a folded header': head(`transfer-encoding:\r\n chunked\r\n\r\n0\r\n\r\n${HIDDEN}`),
  'line feeds alone': head(`content-length: 0\n\n${HIDDEN}`).replaceAll('\r\n', '\n'),
  'a line feed alone in one place': head(`a: b\ncontent-length: 0\r\n\r\n${HIDDEN}`),
  'a carriage return alone': head(`a: b\rcontent-length: 0\r\n\r\n${HIDDEN}`),
  'a NUL in a header': head(`a: b\u0000\r\ncontent-length: 0\r\n\r\n${HIDDEN}`),
  'a chunk with a wrong size': head(`transfer-encoding: chunked\r\n\r\n0x0\r\n\r\n${HIDDEN}`),
  'a chunk that ends by a line feed': head(`transfer-encoding: chunked\r\n\r\n0\n\n${HIDDEN}`),
  'no version': `GET /healthz\r\n\r\n${HIDDEN}`,
  'an unknown version': `GET /healthz HTTP/9.9\r\nhost: x\r\n\r\n${HIDDEN}`,
}

export const smugglingCount = Object.keys(SMUGGLED).length

const ANSWERED_WITHIN_MS = 2_000

/** Names each one after which the hidden request was answered too. */
export async function trySmuggling(port: number): Promise<string[]> {
  const answered: string[] = []
  for (const [name, text] of Object.entries(SMUGGLED)) {
    const raw = await openRaw(port)
    raw.socket.write(text, 'latin1')
    const timer = setTimeout(() => raw.socket.destroy(), ANSWERED_WITHIN_MS)
    await raw.closed
    clearTimeout(timer)
    if (/"status":"ok"/.test(raw.text())) answered.push(name)
  }
  return answered
}
