const MINUTE_MS = 60_000

/** An operator's session ends after this long without use. */
export const SESSION_IDLE_MS = 30 * MINUTE_MS

/** And after this long, however much it is used. */
export const SESSION_TTL_MS = 12 * 60 * MINUTE_MS

/** API keys begin with this, so that people and secret scanners recognise them. */
export const API_KEY_PREFIX = 'presale_'
