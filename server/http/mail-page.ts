import type { FastifyInstance } from 'fastify'

import { API_BASE } from '#contract/endpoint.ts'
import type { Services } from '#server/services.ts'
import { LOGO_CID } from '#server/use-cases/mailing/texts/render-html.ts'
import { getMailHtml } from '#server/use-cases/sandbox/list-mails.ts'

/**
 * What a mail may do in its frame: style its elements, show its embedded picture, and open links in
 * other tabs. It runs nothing and loads nothing. The page around it may read its height.
 */
const MAIL_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
].join('; ')

/** `GET /sandbox/mails/{id}/html`: a mail that was sent, as mail programs show it. */
export function addMailPage(app: FastifyInstance, services: Services): void {
  app.get<{ Params: { id: string } }>(
    `${API_BASE}/sandbox/mails/:id/html`,
    async ({ params }, reply) => {
      const html = await getMailHtml(services, params.id)
      const { logo } = services.sale.project.pictures
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', MAIL_POLICY)
        .header('x-frame-options', 'SAMEORIGIN')
      return html.replaceAll(`cid:${LOGO_CID}`, `data:image/png;base64,${logo ?? ''}`)
    },
  )
}
