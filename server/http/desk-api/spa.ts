import { hash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { onRequestHookHandler } from 'fastify'
import Type from 'typebox'
import type { SignUp } from '#config/setting-groups.ts'
import type { SiteInfo } from '#config/site-info.ts'
import { languages, nearestLanguage, type Translator, translatorOf } from '#messages/translator.ts'
import { html } from '#platform/html.ts'
import { cached } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { deskPage, privateHeaders, serviceWorker } from '#platform/http/security.ts'
import { style } from '#platform/page/style.ts'
import { hidden, rejectApiKey } from './session.ts'

/**
 * Every page of the application. desk/source/paths.ts lists them too; test/project/architecture.test.ts compares the
 * two.
 */
export const spaPaths: readonly string[] = [
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
  '/import',
  '/import/publish',
  '/translations',
  '/co-authors',
  '/co-authors/:id',
  '/series',
  '/series/:id',
  '/shop',
  '/shop/:id',
  '/stats',
  '/stats/:id',
  '/followers',
  '/decisions/:id',
  '/review',
  '/review/:id',
  '/review/writers',
  '/review/invitations',
  '/review/decisions/:id',
  '/front-page',
  '/account',
]

export interface SpaRoutesContext {
  readonly siteInfo: SiteInfo
  readonly signUp: SignUp
  readonly gate: onRequestHookHandler[]
  readonly prefix?: string
}

/** Serves the desk's single HTML document at each of its addresses, and its assets. */
export const spaRoutes: FastifyPluginAsyncTypebox<SpaRoutesContext> = async (app, { siteInfo, signUp, gate }) => {
  const files = readBuild()
  if (!files) app.log.warn({ event: 'desk_not_built', advice: 'npm run desk makes desk/dist' })
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', rejectApiKey)

  for (const place of spaPaths) {
    app.get(place, { onRequest: gate, schema: hidden }, async ({ headers }, reply) => {
      const t = translatorOf(languageFor(headers, siteInfo.language))
      if (!files)
        return reply
          .code(503)
          .type('text/plain; charset=utf-8')
          .send(`${t('desk.common.not_built')}\n`)
      const nonce = randomBytes(18).toString('base64')
      deskPage(reply, nonce)
      return reply.type('text/html; charset=utf-8').send(spaDocument(files, siteInfo, signUp, nonce, t))
    })
  }

  app.get('/service-worker.js', { schema: hidden }, async (_request, reply) => {
    if (!files) throw failure(404)
    serviceWorker(reply)
    return reply.type(types['js']!).send(files.serviceWorker)
  })

  // Not rate limited: a page without its script would stay empty.
  await app.register(assetRoutes, { files })
}

/**
 * The language that the person chose (cookie `language`), else the first that their browser accepts and we speak, else
 * the site's.
 */
export function languageFor(
  headers: Pick<IncomingHttpHeaders, 'cookie' | 'accept-language'>,
  siteLanguage: string,
  nearest = nearestLanguage,
): string {
  const chosen = /(?:^|;)\s*(?:__Host-)?language=([\w-]+)/.exec(headers.cookie ?? '')?.[1]
  for (const tag of [...(chosen ? [chosen] : []), ...acceptedLanguages(headers['accept-language'] ?? '')]) {
    const language = nearest(tag)
    if (language !== undefined) return language
  }
  return siteLanguage
}

/** The tags of an Accept-Language (RFC 9110, 12.5.4), the most wanted first. */
const acceptedLanguages = (header: string): string[] =>
  header
    .split(',')
    .map((range) => {
      const [tag = '', quality] = range.split(/;\s*q=/)
      return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)

const assetRoutes: FastifyPluginAsyncTypebox<{ files: SpaFiles | undefined }> = async (app, { files }) => {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.removeHeader('cache-control')
    done()
  })
  app.addHook('onSend', cached('immutable'))
  const params = Type.Object({ name: Type.String() })
  app.get('/assets/:name', { schema: { ...hidden, params } }, async (request, reply) => {
    const asset = files?.assets.get(request.params.name)
    if (!asset) throw failure(404)
    return reply.type(asset.type).send(asset.bytes)
  })
}

const spaDocument = (
  { script, preloads, messages, sheets, fonts }: SpaFiles,
  { name, slug }: SiteInfo,
  signUp: SignUp,
  nonce: string,
  t: Translator,
): string =>
  String(html`<!doctype html>
<html lang="${t.language}" dir="${t.dir}">
<head>
<meta charset="utf-8">
<title>${t('desk.common.document_title', { site: name })}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="site" content="${name}">
<meta name="site-slug" content="${slug}">
<meta name="sign-up" content="${signUp}">
<meta name="page-style" content="${style().path}">
<meta property="csp-nonce" nonce="${nonce}">
${sheets.map((href) => html`<link rel="stylesheet" href="${href}">\n`)}${fonts.map((href) => html`<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>\n`)}<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${[...preloads, ...(messages.get(t.language) ?? [])].map((href) => html`<link rel="modulepreload" href="${href}" nonce="${nonce}">\n`)}<script type="module" src="${script}" nonce="${nonce}"></script>
</head>
<body>
<div id="desk"></div>
<noscript><p>${t('desk.common.needs_javascript')}</p></noscript>
</body>
</html>
`)

/** The build output of `npm run desk`, as the document and the asset routes need it. */
export interface SpaFiles {
  /** By file name, which contains a hash of the content. */
  readonly assets: ReadonlyMap<string, Asset>
  readonly script: string
  /** Scripts that the entry imports, preloaded so that they load in parallel. */
  readonly preloads: readonly string[]
  /** Scripts with the first messages of each language, which the entry loads before it shows anything. */
  readonly messages: ReadonlyMap<string, readonly string[]>
  readonly sheets: readonly string[]
  readonly fonts: readonly string[]
  /** With the list of the files that it keeps. */
  readonly serviceWorker: string
}

interface Asset {
  readonly type: string
  readonly bytes: Buffer
}

/** An entry of Vite's manifest. */
interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
  readonly assets?: readonly string[]
}

const distFolder = new URL('../../../desk/dist/', import.meta.url)
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** Undefined if the application has not been built. */
export function readBuild(dist = distFolder): SpaFiles | undefined {
  const manifest = readManifest(dist)
  const entry = manifest?.['source/main.tsx']
  const worker = manifest?.['source/service-worker.ts']
  if (!manifest || !entry || !worker) return undefined

  const assets = new Map<string, Asset>()
  const names = Object.values(manifest).flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets])
  for (const name of new Set(names)) {
    const type = types[name.split('.').at(-1)!]
    if (type) assets.set(name.replace('assets/', ''), { type, bytes: readFileSync(new URL(name, dist)) })
  }
  const faces = Buffer.from(style().fonts.deskCss)
  const facesName = `faces.${hash('sha256', faces, 'base64url').slice(0, 10)}.css`
  assets.set(facesName, { type: types['css']!, bytes: faces })

  const imported = importsOf(manifest, entry)
  const path = (file: string): string => `/desk/${file}`
  const workerName = worker.file.replace('assets/', '')
  const script = assets.get(workerName)!.bytes
  assets.delete(workerName)
  const kept = [
    ...[...assets.keys()].map((name) => path(`assets/${name}`)),
    ...style().fonts.first,
    style().fonts.italic,
  ]
  const installed = { version: hash('sha256', kept.join(), 'base64url').slice(0, 10), files: kept }
  return {
    assets,
    serviceWorker: `const installed=${JSON.stringify(installed)};${script}`,
    script: path(entry.file),
    preloads: imported.map(({ file }) => path(file)),
    messages: new Map(languages.map((language) => [language, messagesOf(manifest, language).map(path)])),
    sheets: [path(`assets/${facesName}`), ...[...imported, entry].flatMap(({ css = [] }) => css.map(path))],
    fonts: style().fonts.first,
  }
}

/** desk/messages-plugin.ts makes a module of each language. */
const messagesOf = (manifest: Record<string, Chunk>, language: string): string[] =>
  Object.entries(manifest)
    .filter(([name]) => name.endsWith(`virtual:messages/${language}`))
    .map(([, { file }]) => file)

function readManifest(dist: URL): Record<string, Chunk> | undefined {
  try {
    return JSON.parse(readFileSync(new URL('manifest.json', dist), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function importsOf(manifest: Record<string, Chunk>, entry: Chunk): Chunk[] {
  const found = new Set<Chunk>()
  const add = ({ imports = [] }: Chunk): void => {
    for (const name of imports) {
      const chunk = manifest[name]
      if (!chunk || found.has(chunk)) continue
      add(chunk)
      found.add(chunk)
    }
  }
  add(entry)
  return [...found]
}
