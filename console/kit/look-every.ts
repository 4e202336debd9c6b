/** How often an open page asks again for what changes without anything being done on it. */
export const LOOK_EVERY_MS = 10_000
