/** Put in by the build. */
declare const BUILT_VERSION: string | undefined

/** What this server was built from; a server that runs from its sources cannot tell. */
export const version = typeof BUILT_VERSION === 'undefined' ? 'not built' : BUILT_VERSION
