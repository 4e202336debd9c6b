import { ensureBuilt } from '#tools/build.ts'

/** Tests start the server that operators run, which is built from the sources. */
export function setup(): void {
  if (!ensureBuilt(['server'])) throw new Error('The tests need the server, which does not build.')
}
