import type { FastifyRequest } from 'fastify'

import { API_BASE } from '#contract/endpoint.ts'

/** True for a browser that navigates to a page, and false for calls to the API. */
export function wantsPage(request: FastifyRequest): boolean {
  const wantsHtml = request.headers.accept?.includes('text/html') === true
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead && wantsHtml && !request.url.startsWith(API_BASE)
}
