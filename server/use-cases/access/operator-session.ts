const MINUTE_MS = 60_000

/** An operator's session ends when it was not used for this long. */
export const SESSION_IDLE_MS = 30 * MINUTE_MS

/** And after this long however much it is used. */
export const SESSION_TTL_MS = 12 * 60 * MINUTE_MS

/** What an API key begins with, so that people and scanners of secrets know it. */
export const API_KEY_PREFIX = 'presale_'
