import { randomBytes } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { onRequestHookHandler } from 'fastify'
import Type from 'typebox'
import type { SignUp } from '#platform/abuse-settings.ts'
import { html } from '#platform/html.ts'
import { cached } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { deskPage, privateHeaders } from '#platform/http/security.ts'
import { style } from '#platform/page/style.ts'
import type { SiteInfo } from '#platform/site.ts'
import { ownPages } from './context.ts'
import { withoutKey } from './session.ts'
import { type AppFiles, readApp } from './spa-files.ts'

/** Every page of the application; desk/source/paths.ts names them too, and a test holds the two together. */
export const appPlaces: readonly string[] = [
  '/',
  '/sign-in',
  '/sign-in/recovery-code',
  '/sign-up',
  '/verify-email',
  '/forgot-password',
  '/reset-password',
  '/confirm-email',
  '/keep-account',
  '/welcome',
  '/edit/pieces/:id',
  '/edit/pieces/:id/publish',
  '/edit/pieces/:id/history',
  '/edit/profile',
  '/edit/online-presence',
  '/edit/online-presence/deliveries',
  '/edit/online-presence/deliveries/:id',
  '/trash',
  '/shop',
  '/shop/:id',
  '/stats',
  '/stats/:id',
  '/decisions/:id',
  '/review',
  '/review/:id',
  '/review/writers',
  '/review/invitations',
  '/review/decisions/:id',
  '/account',
]

export interface AppRoutesContext {
  readonly siteInfo: SiteInfo
  readonly signUp: SignUp
  readonly gate: onRequestHookHandler[]
  readonly prefix?: string
}

/** The desk's one document, at each of its addresses, and the files it is made of. */
export const appRoutes: FastifyPluginAsyncTypebox<AppRoutesContext> = async (app, { siteInfo, signUp, gate }) => {
  const files = readApp()
  if (!files) app.log.warn({ event: 'desk_not_built', advice: 'Make desk/dist with: npm run desk' })
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', withoutKey)

  for (const place of appPlaces) {
    app.get(place, { onRequest: gate, schema: ownPages }, async (_request, reply) => {
      if (!files) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt)
      const nonce = randomBytes(18).toString('base64')
      deskPage(reply, nonce)
      return reply.type('text/html; charset=utf-8').send(documentOf(files, siteInfo, signUp, nonce))
    })
  }

  // Never refused: a page whose script is would stay empty.
  await app.register(assetRoutes, { files })
}

const notBuilt = 'The desk has not been built on this machine. Whoever runs it can do so with: npm run desk\n'

const assetRoutes: FastifyPluginAsyncTypebox<{ files: AppFiles | undefined }> = async (app, { files }) => {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.removeHeader('cache-control')
    done()
  })
  app.addHook('onSend', cached('immutable'))
  const params = Type.Object({ name: Type.String() })
  app.get('/assets/:name', { schema: { ...ownPages, params } }, async (request, reply) => {
    const asset = files?.assets.get(request.params.name)
    if (!asset) throw failure(404)
    return reply.type(asset.type).send(asset.bytes)
  })
}

const documentOf = (
  { script, preloads, sheets, fonts }: AppFiles,
  { name, slug }: SiteInfo,
  signUp: SignUp,
  nonce: string,
): string =>
  String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>The desk · ${name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="site" content="${name}">
<meta name="site-slug" content="${slug}">
<meta name="sign-up" content="${signUp}">
<meta name="page-style" content="${style().path}">
<meta property="csp-nonce" nonce="${nonce}">
${sheets.map((href) => html`<link rel="stylesheet" href="${href}">\n`)}${fonts.map((href) => html`<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>\n`)}<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${preloads.map((href) => html`<link rel="modulepreload" href="${href}" nonce="${nonce}">\n`)}<script type="module" src="${script}" nonce="${nonce}"></script>
</head>
<body>
<div id="desk"></div>
<noscript><p>The desk needs JavaScript. Switch it on for this address, and come back.</p></noscript>
</body>
</html>
`)
