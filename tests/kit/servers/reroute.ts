/**
 * Loaded into a server before it starts, with `node --import`: its requests to the hosts named in
 * `REROUTED_HOSTS` go to our own servers, so that nothing leaves this machine.
 */
const routes = JSON.parse(process.env['REROUTED_HOSTS'] ?? '{}') as Record<string, string>
const { fetch } = globalThis

globalThis.fetch = (input, options) => {
  const asked = new URL(input instanceof Request ? input.url : input)
  const own = routes[asked.host]
  return fetch(own === undefined ? input : own + asked.pathname + asked.search, options)
}
