const LOCK = 'presale-refresh'

/**
 * Runs a task while no other tab runs one. That spares most double refreshes but promises nothing:
 * a tab that has just got the lock may still read the storage as it was before, and Web Locks are
 * missing on plain http outside localhost. The rest is the server's tolerance for a refresh token
 * used twice within 30 seconds.
 */
export async function exclusively<T>(task: () => Promise<T>): Promise<T> {
  if (navigator.locks === undefined) return task()
  return navigator.locks.request(LOCK, task)
}
