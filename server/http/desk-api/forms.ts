import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { SiteInfo } from '#config/site-info.ts'
import type { Urls } from '#features/urls.ts'
import { document } from '#http/page-layout.ts'
import { type Html, html } from '#platform/html.ts'
import { failure } from '#platform/http/errors.ts'
import { privateHeaders } from '#platform/http/security.ts'
import { type DeskRoutesContext, hidden, rejectApiKey } from './session.ts'

/** Only forms are parsed in this plugin, as `read` says; everywhere else they are rejected. */
export function readForms(app: FastifyInstance, bodyLimit: number, read: (field: FormField) => unknown): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    ({ headers }, body, done) => {
      const charset = /;\s*charset\s*=\s*"?([^";]*)/i.exec(headers['content-type'] ?? '')?.[1]
      if (headers['content-encoding'] || (charset && charset.trim().toLowerCase() !== 'utf-8'))
        return done(failure(415))
      done(null, read(fieldsOf(String(body))))
    },
  )
}

export type FormField = (name: string) => string

/** A missing field is empty; of repeated fields the first counts. */
export function fieldsOf(body: string): FormField {
  const fields = new URLSearchParams(body)
  return (name) => fields.get(name) ?? ''
}

/** A page that is a form, or answers one. */
export const formPage = (siteInfo: SiteInfo, urls: Urls, title: string, main: Html): string =>
  document(
    siteInfo,
    urls,
    { title, robots: 'noindex' },
    html`<link rel="stylesheet" href="/desk/forms.css">
<div class="form-page column">
${main}
</div>`,
  )

/** /desk/forms.css: the style of these pages. */
export const formStyles: FastifyPluginAsync<Pick<DeskRoutesContext, 'gate'>> = async (app, { gate }) => {
  const sheet = readFileSync(new URL('./forms.css', import.meta.url), 'utf8')
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', rejectApiKey)
  app.get('/forms.css', { onRequest: gate('desk', 'read'), schema: hidden }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(sheet),
  )
}
