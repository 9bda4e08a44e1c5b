import { hash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { authorAt } from '#features/authors/reads.ts'
import type { Author } from '#features/authors/schema.ts'
import { tagsOfAuthorPieces, tagsOfPresented } from '#features/cache-tags.ts'
import { pieceAtAddress, piecesOfAuthor } from '#features/pieces/public-lists.ts'
import type { PieceListItem } from '#features/pieces/schema.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorFor, translatorOf } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import type { Release } from '../../../embed/release.ts'
import {
  badge,
  bio,
  type Child,
  card,
  list,
  piece,
  type VNode,
  type WidgetOptions,
  type Words,
} from '../../../embed/source/widgets.ts'
import { widgetWords } from '../../../embed/words.ts'

/** /embed/{slug}/{kind}: each widget as a page, for sites that allow frames but no scripts. */
export const widgetRoutes: FastifyPluginAsyncTypebox<PublicContext & { readonly release: Release }> = async (
  app,
  { reads, gate, siteInfo, release },
) => {
  app.addHook('onSend', cached('publicRead'))
  const t = translatorOf(siteInfo.language)
  const words = widgetWords(t, siteInfo.name)
  const stylesheet = `/embed/${release.style.name}`

  const sendPage = (reply: FastifyReply, frame: Omit<WidgetPage, 'stylesheet' | 't'>): string => {
    reply.type('text/html; charset=utf-8').header('content-security-policy', widgetCsp(frame.accent))
    return renderWidgetPage({ ...frame, title: `${frame.title} · ${siteInfo.name}`, stylesheet, t })
  }

  app.get(
    '/embed/:slug/:kind',
    {
      onRequest: gate('single', 'read'),
      schema: { hide: true, params: Type.Object({ slug: Type.String(), kind: Type.String() }) },
    },
    async ({ params: { slug, kind }, query }, reply) => {
      const asked = query as Readonly<Record<string, unknown>>
      const { look, limit, accent } = readWidgetOptions(asked, words, reads.urls.base)
      const { theme } = look
      const found = isKind(kind) ? await authorAt(reads, slug) : undefined
      if (!isKind(kind) || !found)
        return reply
          .code(404)
          .send(sendPage(reply, { title: t('embed.not_found_title'), tree: notFoundWidget(t, look), accent, theme }))

      const { author } = found
      // If the piece is no longer public, its author is shown.
      const one = typeof asked['piece'] === 'string' ? await pieceAtAddress(reads, slug, asked['piece']) : undefined
      if (one) {
        const { title, url } = one.piece
        const ownWords = widgetWords(translatorFor(one.piece.language, t))
        const tree = piece(look, author, one.piece, ownWords)
        const page = sendPage(reply, { title, canonical: url, tree, accent, theme })
        return withCacheTags(reply, page, tagsOfPresented(one.piece))
      }
      const { items } = kind === 'list' ? await piecesOfAuthor(reads, found.id, { limit }) : { items: [] }
      const tree = widget(kind, author, look, items, limit)
      const page = sendPage(reply, { title: author.name, canonical: author.urls.profile, tree, accent, theme })
      return withCacheTags(reply, page, tagsOfAuthorPieces(author.slug, items))
    },
  )
}

function widget(
  kind: Kind,
  author: Author,
  look: WidgetOptions,
  items: readonly PieceListItem[],
  limit: number,
): VNode {
  if (kind === 'badge') return badge(look, author)
  if (kind === 'card') return card(look, author)
  if (kind === 'bio') return bio(look, author)
  return list(look, author, items, limit)
}

function notFoundWidget(t: Translator, look: WidgetOptions): VNode {
  const join = (parts: readonly Child[]): Child => ['span', [], parts]
  const link = (label: Child): Child => [
    'a',
    ['href', `${look.base}/search`, 'target', look.target, 'rel', 'noopener'],
    [label],
  ]
  return [
    'div',
    ['class', 'w', 'data-theme', look.theme, 'dir', t.dir],
    [
      ['p', ['class', 'name'], [t('embed.not_found_title')]],
      ['p', ['class', 'bio'], t.parts<'embed.not_found', Child>('embed.not_found', { link }, join)],
    ],
  ]
}

/** A widget as a page for a frame on another site: no script, only the widget. */

interface WidgetPage {
  readonly title: string
  readonly canonical?: string
  readonly tree: VNode
  readonly stylesheet: string
  /** Of the site's language. */
  readonly t: Translator
  readonly accent: ParsedWidgetOptions['accent']
  readonly theme: string
}

/** The colour scheme follows the theme, not the reader: browsers paint an opaque background if the two differ. */
const renderWidgetPage = ({ title, canonical, tree, stylesheet, t, accent, theme }: WidgetPage): string =>
  String(html`<!doctype html>
<html lang="${t.language}"${t.dir === 'rtl' && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}">
<meta name="robots" content="noindex">
<title>${title}</title>
${canonical && html`<link rel="canonical" href="${canonical}">\n`}<link rel="stylesheet" href="${stylesheet}">
${accent && html`<style>${accent.css}</style>\n`}</head>
<body>
<main>${renderNode(tree)}</main>
</body>
</html>
`)

/** Writers' images may come from anywhere on the web; everything else is ours. */
const widgetCsp = (accent: ParsedWidgetOptions['accent']): string =>
  `default-src 'none'; style-src 'self'${accent ? ` 'sha256-${accent.hash}'` : ''}; img-src https:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors *"

/** Renders a widget to HTML as embed.js does to elements. Tag and attribute names are constants of the widgets. */
function renderNode([tag, attributes, children]: VNode): Html {
  const named = attributes.flatMap((name, at) => {
    const value = attributes[at + 1]
    return at % 2 === 0 && value !== undefined ? [html` ${name}="${value}"`] : []
  })
  if (tag === 'img') return html`<img${named}>`
  return html`<${tag}${named}>${children.map(child)}</${tag}>`
}

const child = (one: Child): Html | string | undefined | false =>
  Array.isArray(one) ? renderNode(one as VNode) : (one as string)

const kinds = ['badge', 'card', 'list', 'bio'] as const
type Kind = (typeof kinds)[number]
const isKind = (text: string): text is Kind => (kinds as readonly string[]).includes(text)

/** Options of a framed widget, with the same names as the script's attributes. */
interface ParsedWidgetOptions {
  readonly look: WidgetOptions
  readonly limit: number
  /** An inline style for the accent colour, and its hash for the CSP. */
  readonly accent: { readonly css: string; readonly hash: string } | undefined
}

const usualLimit = 5

/** Unknown or repeated parameters fall back to the default, so that an embedding page never breaks. */
function readWidgetOptions(query: Readonly<Record<string, unknown>>, words: Words, base: string): ParsedWidgetOptions {
  const given = (name: string, shape: RegExp): string | undefined => {
    const value = query[name]
    return typeof value === 'string' && shape.test(value) ? value : undefined
  }
  const accent = given('accent', /^#?[0-9a-f]{6}$/i)
  return {
    look: {
      words,
      base,
      theme: given('theme', /^(dark|auto)$/) ?? 'light',
      tone: given('tone', /^verified$/) ?? '',
      target: given('target', /^_(blank|parent|top)$/) ?? '_blank',
    },
    limit: Number(given('limit', /^([1-9]|1\d|20)$/) ?? usualLimit),
    accent: accent === undefined ? undefined : styled(`.w{--accent:#${accent.replace('#', '')}}`),
  }
}

const styled = (css: string) => ({ css, hash: hash('sha256', css, 'base64') })
