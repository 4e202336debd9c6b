/**
 * Loaded into a server before it starts, by `node --import`: what it fetches from a host that
 * `REROUTED_HOSTS` names goes to a server of our own, so that nothing leaves this machine.
 */
const routes = JSON.parse(process.env['REROUTED_HOSTS'] ?? '{}') as Record<string, string>
const { fetch } = globalThis

globalThis.fetch = (input, options) => {
  const asked = new URL(input instanceof Request ? input.url : input)
  const own = routes[asked.host]
  return fetch(own === undefined ? input : own + asked.pathname + asked.search, options)
}
