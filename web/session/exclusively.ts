const LOCK = 'presale-refresh'

/**
 * How long the lock is kept after a task. The next tab reads what the last one stored, and a change
 * to the storage reaches other tabs a moment later.
 */
const SETTLE_MS = 250

/**
 * Runs a task while no other tab runs one, and lets the next begin once it sees what this one has
 * stored. Web Locks are missing on plain http outside localhost; two tabs may then refresh at once,
 * which the server allows: the same refresh token within 30 seconds gives the same tokens.
 */
export async function exclusively<T>(task: () => Promise<T>): Promise<T> {
  const { locks } = navigator
  if (locks === undefined) return task()
  return new Promise((resolve, reject) => {
    const run = async () => {
      const running = task()
      running.then(resolve, reject)
      await running.catch(() => undefined)
      await new Promise((settled) => setTimeout(settled, SETTLE_MS))
    }
    locks.request(LOCK, run).catch(reject)
  })
}
