import pg from 'pg'

const RETRY_EVERY_MS = 500
const CONNECT_TIMEOUT_MS = 5_000
/** How often a silent connection is probed, and how soon it has to answer. */
const PROBE_EVERY_MS = 10_000
const PROBE_TIMEOUT_MS = 5_000

/** Neither call is awaited. */
export type ChannelListener = {
  onPayload(payload: string): void
  /** The connection is back after it was lost: notifications in between were missed. */
  onGap(): void
}

/**
 * Listens to a channel on a connection of its own, which is restored when it breaks: at once, then
 * every half second. Notifications in between are lost, so the listener has to read again on
 * `onGap`.
 */
export async function listenToPostgres(
  url: string,
  channel: string,
  { onPayload, onGap }: ChannelListener,
): Promise<() => Promise<void>> {
  let current: pg.Client | null = null
  let retry: NodeJS.Timeout | undefined
  let isStopped = false

  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'token-presale live updates',
    })
    let isBroken = false
    const onBroken = () => {
      isBroken = true
      replace(client)
    }
    client.on('error', onBroken)
    client.on('end', onBroken)
    client.on('notification', ({ payload }) => onPayload(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
    } catch (fault) {
      discard(client)
      throw fault
    }
    if (isStopped) discard(client)
    else if (isBroken) throw new Error('The connection broke as soon as it was there.')
    else current = client
  }

  const reconnect = async (): Promise<void> => {
    if (isStopped) return
    try {
      await connect()
      onGap()
    } catch {
      if (!isStopped) retry = setTimeout(() => void reconnect(), RETRY_EVERY_MS)
    }
  }

  const replace = (broken: pg.Client): void => {
    if (isStopped || broken !== current) return
    current = null
    discard(broken)
    void reconnect()
  }

  await connect()
  const probe = setInterval(() => {
    const asked = current
    // A connection that the network dropped raises no error by itself.
    if (asked !== null) asked.query('select 1').catch(() => replace(asked))
  }, PROBE_EVERY_MS)
  return async () => {
    isStopped = true
    clearInterval(probe)
    clearTimeout(retry)
    await current?.end()
  }
}

/** A broken connection is not waited for. */
function discard(broken: pg.Client): void {
  broken.end().catch(() => {})
}
