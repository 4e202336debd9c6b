/**
 * Loaded into a server before it starts, with `node --import`: at SIGUSR2 its machine was suspended
 * for `SUSPENDED_MS`. Its monotonic counter has stood still for as long, and nothing else has.
 */
const suspendedMs = Number(process.env['SUSPENDED_MS'] ?? 0)
const count = performance.now.bind(performance)

process.on('SIGUSR2', () => {
  performance.now = () => count() - suspendedMs
  process.stdout.write('The machine was suspended\n')
})
