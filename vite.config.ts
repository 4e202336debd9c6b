import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'

import { onlyReadOfCalls } from './tools/read-of-calls.ts'

const serverAddress = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`

const LOCALES = ['en-US', 'de-DE']

/** The component library brings its texts in thirty languages; the page has those of its own. */
function onlyOwnLocales(): Plugin {
  return {
    name: 'only-own-locales',
    enforce: 'pre',
    resolveId(source, importer) {
      const locale = /([a-z]{2}-[A-Z]{2})\.mjs$/.exec(source)?.[1]
      if (locale === undefined || LOCALES.includes(locale)) return null
      if (!/react-(?:aria|stately)/.test(importer ?? '')) return null
      return this.resolve(source.replace(locale, 'en-US'), importer, { skipSelf: true })
    },
  }
}

/** The letters that every page is set in are asked for at once, and not when the style is read. */
function preloadedFaces(): Plugin {
  return {
    name: 'preloaded-faces',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const faces = Object.keys(bundle ?? {}).filter((file) =>
          /\/(?:inter-latin-wght|archivo-latin-wdth)-/.test(file),
        )
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' }
        return faces.map((face) => ({
          tag: 'link',
          attrs: { ...attrs, href: `/${face}` },
          injectTo: 'head',
        }))
      },
    },
  }
}

export default defineConfig({
  root: 'web',
  plugins: [
    onlyOwnLocales(),
    onlyReadOfCalls(),
    react(),
    tailwindcss(),
    preloadedFaces(),
    compression({
      algorithms: [defineAlgorithm('brotliCompress')],
      // What runs on the server is sent to nobody.
      exclude: /(^|\/)server-[^/]*$/,
      logLevel: 'silent',
    }),
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The bundle budget reads from it which files the login page loads first.
    manifest: true,
    reportCompressedSize: false,
  },
  // `vite build` builds the page first, then what renders it on the server.
  builder: {},
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // What every page loads is one file, which compresses better than many.
            codeSplitting: { groups: [{ name: 'every-page', tags: ['$initial'] }] },
          },
        },
      },
    },
    ssr: {
      // All in one file: where the product runs, the build's own packages need not be there.
      resolve: { noExternal: true },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        ssr: 'static-page.tsx',
        rolldownOptions: {
          output: {
            entryFileNames: 'server-[name].js',
            chunkFileNames: 'server-[name]-[hash].js',
          },
        },
        outDir: '../dist/web/.server',
        emptyOutDir: true,
        copyPublicDir: false,
        manifest: false,
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: { '/api': serverAddress, '/brand': serverAddress },
  },
})
