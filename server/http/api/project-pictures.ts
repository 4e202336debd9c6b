import { createHash } from 'node:crypto'

import type { FastifyInstance } from 'fastify'

import type { ProjectPictures } from '#domain/sale/sale.ts'

const fileNames = {
  logo: 'logo.png',
  icon: 'icon.png',
  socialPreview: 'social-preview.png',
} as const

type PictureName = keyof typeof fileNames

/**
 * Where a picture of the project is served; null where it has none. The path changes with the
 * picture, so that it can be kept for ever.
 */
export function projectPicturePath(pictures: ProjectPictures, name: PictureName): string | null {
  const picture = pictures[name]
  if (picture === null) return null
  const fingerprint = createHash('sha256').update(picture).digest('hex').slice(0, 8)
  return `/brand/${fileNames[name]}?v=${fingerprint}`
}

/**
 * Serves the pictures that the project has, its icon also where browsers look for one by
 * themselves.
 */
export function addProjectPictures(app: FastifyInstance, pictures: ProjectPictures): void {
  for (const name of ['logo', 'icon', 'socialPreview'] as const) {
    const picture = pictures[name]
    if (picture === null) continue
    const file = Buffer.from(picture, 'base64')
    app.get(`/brand/${fileNames[name]}`, async (_request, reply) => {
      reply.type('image/png').header('cache-control', 'public, max-age=31536000, immutable')
      return file
    })
  }
  app.get('/favicon.ico', (_request, reply) =>
    reply.redirect(projectPicturePath(pictures, 'icon') ?? '/favicon.svg'),
  )
}
