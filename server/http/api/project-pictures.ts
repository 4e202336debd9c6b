import { createHash } from 'node:crypto'

import type { FastifyInstance } from 'fastify'

import { Refusal } from '#domain/refusal.ts'
import type { ProjectPictures, Sale } from '#domain/sale/sale.ts'

const fileNames = {
  logo: 'logo.png',
  icon: 'icon.png',
  socialPreview: 'social-preview.png',
} as const

/** 24 bytes. */
const BASE64_OF_START = 32

type PictureName = keyof typeof fileNames

/**
 * Where a picture of the project is served; null if it has none. The path changes with the picture,
 * so that it can be kept for ever.
 */
export function projectPicturePath(pictures: ProjectPictures, name: PictureName): string | null {
  const picture = pictures[name]
  if (picture === null) return null
  return `/brand/${fileNames[name]}?v=${fingerprintOf(picture).slice(0, 8)}`
}

/** Where a picture of a promotion is served, by its content. */
export function promotionPicturePath(picture: string): string {
  return `/brand/${promotionPictureName(picture)}`
}

const promotionPictureName = (picture: string) =>
  `promotion-${fingerprintOf(picture).slice(0, 16)}.png`

/** A PNG has its width and height in pixels at a fixed place. */
export function pictureSize(picture: string): { width: number; height: number } {
  const start = Buffer.from(picture.slice(0, BASE64_OF_START), 'base64')
  return { width: start.readUInt32BE(16), height: start.readUInt32BE(20) }
}

function fingerprintOf(picture: string): string {
  return createHash('sha256').update(picture).digest('hex')
}

/**
 * Serves the pictures of the project and its promotions, including the icon where browsers look for
 * one by default.
 */
export function addProjectPictures(app: FastifyInstance, services: { sale: Sale }): void {
  let made = { sale: services.sale, files: filesOf(services.sale) }
  app.get<{ Params: { name: string } }>('/brand/:name', async ({ params }, reply) => {
    if (made.sale !== services.sale) {
      made = { sale: services.sale, files: filesOf(services.sale) }
    }
    const file = made.files.get(params.name)
    if (file === undefined) throw new Refusal('NotFound')
    reply.type('image/png').header('cache-control', 'public, max-age=31536000, immutable')
    return file
  })
  app.get('/favicon.ico', (_request, reply) =>
    reply.redirect(projectPicturePath(services.sale.project.pictures, 'icon') ?? '/favicon.svg'),
  )
}

/** By the name below `/brand/`. */
function filesOf({ project: { pictures }, promotions }: Sale): ReadonlyMap<string, Buffer> {
  const files = new Map<string, string>()
  for (const name of ['logo', 'icon', 'socialPreview'] as const) {
    const picture = pictures[name]
    if (picture !== null) files.set(fileNames[name], picture)
  }
  for (const { image, imageBlue } of promotions) {
    files.set(promotionPictureName(image), image)
    if (imageBlue !== null) files.set(promotionPictureName(imageBlue), imageBlue)
  }
  return new Map([...files].map(([name, picture]) => [name, Buffer.from(picture, 'base64')]))
}
