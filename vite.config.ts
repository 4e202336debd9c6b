import { readFileSync } from 'node:fs'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, minifySync, type Plugin } from 'vite'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'

import { offlinePage } from './tools/vite/offline-page.ts'
import { onlyOwnLocales } from './tools/vite/own-locales.ts'
import { onlyReadOfCalls } from './tools/vite/read-of-calls.ts'
import { LICENSES_FILE, styleLicenses } from './tools/vite/style-licenses.ts'

const serverAddress = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`
/** The console has a server of its own, seen at the address of this one as in production. */
const consoleAddress = 'http://127.0.0.1:5174'

/** The letters that every page is set in are asked for at once, and not when the style is read. */
function preloadedFaces(): Plugin {
  return {
    name: 'preloaded-faces',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const faces = Object.keys(bundle ?? {}).filter((file) =>
          /\/(?:inter|archivo)-latin-[\w-]{8}\.woff2$/.test(file),
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

/** Nothing is painted before it has run, so it comes without its comments. */
function smallBeforePaint(): Plugin {
  const file = 'before-paint.js'
  return {
    name: 'small-before-paint',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle() {
      const code = readFileSync(new URL(`web/public/${file}`, import.meta.url), 'utf8')
      this.emitFile({ type: 'asset', fileName: file, source: minifySync(file, code).code })
    },
  }
}

/** What the pages have in common that ask for an account. */
const chunkOfForms =
  /web\/(screens\/(form-page|sale-aside|use-mailed-token)|lib\/use-form|features\/account\/(schemas|form-buttons)|ui\/fields\/text-field)/
/** What every page of somebody who is logged in loads. */
const chunkOfSignedIn =
  /web\/(features\/(purchase\/(buy\/price-queries|transaction-cache|offer-cache|transactions\/transaction-queries)|referral\/queries|promotion\/queries)|lib\/(use-debounced|api\/ask-again)|session\/(own-query|two-factor)|app\/(navigation|logout-button)|ui\/(fields\/segmented|feedback\/chip))|contract\/(transactions|delivery\/releases)|mutationObserver|useMutation|icons\/(layout-dashboard|megaphone|users|coins|download)/
/** What turns amounts, prices and times into text. */
const chunkOfFigures =
  /web\/(lib\/(format\/(token-amounts|price-per|utc-dates)|use-now|use-countdown)|ui\/(mark|layout\/accent-panel))|domain\/(sale\/(shown-tokens|release-schedule)|delivery\/release)|domain\/chains\/chain|contract\/codec/
/** Addresses to read and to copy, and the focus kept there: they need no forms and plans. */
const chunkOfCopying =
  /web\/(ui\/(fields\/copy-|address-)|lib\/(copy-text|use-kept-focus))|icons\/(copy|check)\.mjs/
/** The card of the wallet that receives tokens, which the account shows from the start. */
const chunkOfReceiving =
  /web\/(features\/wallet\/wallet-queries|messages\/(en\/)?(use-)?receiving-wallet)/

export default defineConfig({
  root: 'web',
  plugins: [
    onlyOwnLocales(),
    onlyReadOfCalls(),
    react(),
    tailwindcss(),
    preloadedFaces(),
    smallBeforePaint(),
    offlinePage(),
    styleLicenses(),
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
    modulePreload: { polyfill: false },
  },
  // `vite build` builds the page first, then what renders it on the server.
  builder: {},
  environments: {
    client: {
      build: {
        license: { fileName: LICENSES_FILE },
        rolldownOptions: {
          // A schema that the page does not use is not sent to it: making one changes nothing else.
          // Neither are the sentences with which the router warns its developers.
          treeshake: {
            manualPureFunctions: ['z', 'warning', 'warnOnce'],
            moduleSideEffects: [{ test: /\/(?:contract|domain)\/[^?]*\.ts$/, sideEffects: false }],
          },
          output: {
            // Shared chunks would have the names of all that share them. The first script of every
            // page names them all: their hashes are as short as the builder lets them be.
            chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]}-[hash:7].js`,
            // What every page loads is one file, which compresses better than many.
            codeSplitting: {
              groups: [
                { name: 'every-page', tags: ['$initial'], priority: 3 },
                // By sizes alone the builder would join forms with what buyers load.
                {
                  name: 'forms',
                  test: chunkOfForms,
                  minShareCount: 2,
                  entriesAware: true,
                  entriesAwareMergeThreshold: 30_000,
                  priority: 2,
                },
                ...[
                  { name: 'signed-in', test: chunkOfSignedIn },
                  { name: 'figures', test: chunkOfFigures },
                  { name: 'copy', test: chunkOfCopying },
                  { name: 'receiving', test: chunkOfReceiving },
                ].map((group) => ({
                  ...group,
                  minShareCount: 2,
                  includeDependenciesRecursively: false,
                  priority: 2,
                })),
                {
                  name: 'controls',
                  test: /node_modules\/(?:@?react-aria|@?react-stately|@internationalized|libphonenumber-js|qr)/,
                  entriesAware: true,
                  entriesAwareMergeThreshold: 4300_000,
                  priority: 1,
                },
                {
                  name: 'shared',
                  minShareCount: 2,
                  entriesAware: true,
                  entriesAwareMergeThreshold: 4300,
                },
              ],
            },
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
    proxy: {
      '/api': serverAddress,
      '/brand': serverAddress,
      '/operator': { target: consoleAddress, ws: true },
    },
  },
})
