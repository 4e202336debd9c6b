import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'

import { onlyOwnLocales } from './tools/vite/own-locales.ts'
import { LICENSES_FILE, styleLicenses } from './tools/vite/style-licenses.ts'

const serverAddress = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`

/** The console, a build of its own: nothing of it is ever loaded by who buys. */
export default defineConfig({
  root: 'console',
  base: '/operator/',
  plugins: [
    onlyOwnLocales(),
    react(),
    tailwindcss(),
    styleLicenses(),
    compression({ algorithms: [defineAlgorithm('brotliCompress')], logLevel: 'silent' }),
  ],
  build: {
    outDir: '../dist/web/operator',
    emptyOutDir: true,
    manifest: true,
    license: { fileName: LICENSES_FILE },
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Shared chunks would have the names of all that share them.
        chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'every-screen', tags: ['$initial'], priority: 1 },
            {
              name: 'shared',
              minShareCount: 2,
              entriesAware: true,
              // With more, merged files import each other, and may run before what they need.
              entriesAwareMergeThreshold: 2000,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5174,
    strictPort: true,
    proxy: { '/api': serverAddress, '/brand': serverAddress },
  },
})
