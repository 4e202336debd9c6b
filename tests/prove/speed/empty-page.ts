import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'

import { projectRoot } from '#tools/project.ts'

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }

/** A page of React, ReactDOM and one sentence, built as ours is and served compressed. */
export async function serveEmptyReactPage() {
  // Inside the project, where its packages are found.
  await mkdir(join(projectRoot, '.cache'), { recursive: true })
  const folder = await mkdtemp(join(projectRoot, '.cache', 'empty-page-'))
  try {
    await writeFile(
      join(folder, 'index.html'),
      '<!doctype html><meta name="viewport" content="width=device-width"><title>Empty</title>' +
        '<div id="root"></div><script type="module" src="/main.js"></script>',
    )
    await writeFile(
      join(folder, 'main.js'),
      `import { createElement } from 'react'
       import { createRoot } from 'react-dom/client'
       createRoot(document.getElementById('root')).render(createElement('h1', null, 'An empty page'))`,
    )
    await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      define: { 'process.env.NODE_ENV': '"production"' },
    })
    const files = await readFiles(join(folder, 'dist'))
    const server = createServer((request, response) => {
      const path = request.url === '/' ? '/index.html' : (request.url ?? '')
      const body = files.get(path)
      if (body === undefined) return void response.writeHead(404).end()
      response.writeHead(200, { 'content-type': types[extname(path)], 'content-encoding': 'br' })
      response.end(body)
    })
    await new Promise<void>((opened) => server.listen(0, '127.0.0.1', opened))
    const { port } = server.address() as AddressInfo
    return {
      address: `http://127.0.0.1:${port}`,
      close: () =>
        new Promise<void>((closed) => {
          server.close(() => closed())
          server.closeAllConnections()
        }),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  const paths = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = paths.filter((entry) => entry.isFile())
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name)
        return [path.slice(folder.length), brotliCompressSync(await readFile(path))] as const
      }),
    ),
  )
}
