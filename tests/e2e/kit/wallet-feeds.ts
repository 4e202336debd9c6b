/**
 * Loaded before a server starts, by `node --import`: what is asked of the public price feeds goes
 * to the servers that PLAYED_FEEDS names instead, a JSON object from hosts to addresses.
 */
const played = JSON.parse(process.env['PLAYED_FEEDS'] ?? '{}') as Record<string, string>
const reallyFetch = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const url = URL.parse(String(input))
  const instead = url === null ? undefined : played[url.host]
  if (url === null || instead === undefined) return await reallyFetch(input, init)
  return await reallyFetch(instead + url.pathname + url.search, init)
}
