const TRIES = 10

/**
 * The processor time that a piece of work takes in this thread, in milliseconds: the minimum of
 * several tries, so that neither another process nor a garbage collection counts. It stops trying
 * once it is within `enoughMs`.
 */
export async function leastCpuMs(
  work: () => unknown,
  enoughMs: number,
  tries = TRIES,
): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  const ms = (user + system) / 1000
  if (ms <= enoughMs || tries === 1) return ms
  return Math.min(ms, await leastCpuMs(work, enoughMs, tries - 1))
}
