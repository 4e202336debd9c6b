import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const folder = new URL('../../web/offline/', import.meta.url)
const FILE = 'check-receipt.html'

/**
 * Writes the page that is saved to a disk and works there: a single file with its script inside. It
 * is served as a download, so it never runs at our address, whose policy forbids such scripts.
 */
export function offlinePage(): Plugin {
  return {
    name: 'offline-page',
    applyToEnvironment: ({ name }) => name === 'client',
    async generateBundle() {
      const page = readFileSync(new URL(FILE, folder), 'utf8')
      const script = (await bundle()).replaceAll('</', String.raw`<\/`)
      const source = page.replace('<!--script-->', () => `<script>${script}</script>`)
      this.emitFile({ type: 'asset', fileName: FILE, source })
    },
  }
}

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(folder),
    build: {
      write: false,
      lib: {
        entry: fileURLToPath(new URL('check-receipt.ts', folder)),
        name: 'checkReceipt',
        formats: ['iife'],
      },
    },
  })
  const [output] = Array.isArray(built) ? built : [built]
  if (output === undefined || !('output' in output)) throw new Error('A build has an output.')
  const [chunk] = output.output
  return chunk.code
}
