const LOCK = 'presale-refresh'

/**
 * Runs a task while no other tab runs one. Web Locks are missing on plain http outside localhost;
 * there the server's tolerance for a refresh token used twice within 30 seconds has to do.
 */
export async function exclusively<T>(task: () => Promise<T>): Promise<T> {
  if (navigator.locks === undefined) return task()
  return navigator.locks.request(LOCK, task)
}
