import { join, relative } from 'node:path'

import { defineConfig, type Plugin } from 'vite'

import { readVersion } from './tools/version.ts'

const folder = join(import.meta.dirname, 'dist/server')

/** What a module reads beside itself stays beside its source, and is found from the built file. */
function besideItsSource(): Plugin {
  return {
    name: 'beside-its-source',
    transform: {
      order: 'pre',
      filter: { id: /\/server\/.*\.ts$/, code: /import\.meta\.url/ },
      handler(code, id) {
        const source = JSON.stringify(relative(folder, id))
        return code.replaceAll('import.meta.url', `new URL(${source}, import.meta.url)`)
      },
    },
  }
}

/** The server in one file: its modules and those of its packages are read and compiled at once. */
export default defineConfig({
  plugins: [besideItsSource()],
  publicDir: false,
  define: { BUILT_VERSION: JSON.stringify(readVersion()) },
  ssr: {
    // These have files of their own beside them, or are watched by tests.
    external: ['@electric-sql/pglite', '@node-rs/argon2', 'pg'],
    noExternal: true,
  },
  build: {
    ssr: 'server/main.ts',
    outDir: folder,
    target: 'node24',
    // All in one folder, from which the sources are found.
    rolldownOptions: { output: { chunkFileNames: '[name]-[hash].js' } },
  },
})
