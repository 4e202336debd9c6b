import type { FastifyInstance } from 'fastify'

import type { Services } from '#server/services.ts'
import { projectPicturePath } from '#server/http/api/project-pictures.ts'
import type { Listing } from './rendered-pages.ts'

/** The background colour of the default theme. */
const GROUND = '#141210'

/**
 * Serves what search engines and home screens ask for: `/robots.txt`, `/sitemap.xml` and
 * `/site.webmanifest`, in the words of the sale.
 */
export function addCrawlerFiles(
  app: FastifyInstance,
  services: Services,
  pages: Readonly<Record<string, Listing>>,
): void {
  const { settings } = services
  const paths = Object.keys(pages)
  const unlisted = ['/api/', ...paths.filter((path) => pages[path] === 'unlisted'), '/sandbox']
  // The dashboard at / needs a login.
  const listed = paths.filter((path) => pages[path] === 'listed' && path !== '/')
  const files = [
    {
      path: '/robots.txt',
      type: 'text/plain; charset=utf-8',
      text: [
        'User-agent: *',
        ...unlisted.map((path) => `Disallow: ${path}`),
        `Sitemap: ${settings.publicUrl}/sitemap.xml`,
        '',
      ].join('\n'),
    },
    {
      path: '/sitemap.xml',
      type: 'application/xml; charset=utf-8',
      text: [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
        ...listed.map((path) => `  <url><loc>${settings.publicUrl}${path}</loc></url>`),
        '</urlset>',
        '',
      ].join('\n'),
    },
    {
      path: '/site.webmanifest',
      type: 'application/manifest+json; charset=utf-8',
      text: () => JSON.stringify(manifest(services.sale.project)),
    },
  ]
  for (const { path, type, text } of files) {
    app.get(path, async (_request, reply) => {
      reply.type(type).header('cache-control', 'no-cache')
      return typeof text === 'string' ? text : text()
    })
  }
}

function manifest({ name, symbol, pictures }: Services['sale']['project']) {
  const icon = projectPicturePath(pictures, 'icon')
  return {
    name: `${name} presale`,
    short_name: `${symbol} presale`,
    start_url: '/',
    display: 'standalone',
    background_color: GROUND,
    theme_color: GROUND,
    icons: [
      icon === null
        ? { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' }
        : { src: icon, sizes: '512x512', type: 'image/png', purpose: 'any' },
    ],
  }
}
