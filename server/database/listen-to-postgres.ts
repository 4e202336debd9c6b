import pg from 'pg'

const RECONNECT_AFTER_MS = 1_000
const CONNECT_TIMEOUT_MS = 5_000

/**
 * Hears a channel on a connection of its own, which comes back by itself when it breaks. What was
 * said while it was down is lost: listeners must not rely on it for more than being told early.
 */
export async function listenToPostgres(
  url: string,
  channel: string,
  onPayload: (payload: string) => void,
): Promise<() => Promise<void>> {
  let current: pg.Client | null = null
  let retry: NodeJS.Timeout | undefined
  let isStopped = false

  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'token-presale live updates',
    })
    client.on('error', () => reconnect(client))
    client.on('end', () => reconnect(client))
    client.on('notification', ({ payload }) => onPayload(payload ?? ''))
    current = client
    await client.connect()
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
  }

  const reconnect = (broken: pg.Client): void => {
    if (isStopped || broken !== current) return
    current = null
    retry = setTimeout(() => {
      connect().catch(() => {
        if (current !== null) reconnect(current)
      })
    }, RECONNECT_AFTER_MS)
  }

  await connect()
  return async () => {
    isStopped = true
    clearTimeout(retry)
    await current?.end()
  }
}
