import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { tagsOfAuthor } from '#features/authors/cache-tags.ts'
import { authorAt, type KnownAuthor } from '#features/authors/reads.ts'
import { tagsOfPiece } from '#features/pieces/cache-tags.ts'
import { pieceAtAddress, piecesOfAuthor } from '#features/pieces/public-lists.ts'
import { cached, tagged } from '#platform/http/caching.ts'
import type { PublicContext } from '#platform/http/public-context.ts'
import type { Release } from '../../../embed/release.ts'
import type { Tree } from '../../../embed/source/vnode.ts'
import { badge, bio, card, type Look, list, piece } from '../../../embed/source/widgets.ts'
import { isKind, type Kind, readLook } from './widget-options.ts'
import { type Frame, framePage, framePolicy } from './widget-page.ts'

/** /embed/{slug}/{kind}: each widget for sites that take frames and no scripts. */
export const frameRoutes: FastifyPluginAsyncTypebox<PublicContext & { readonly release: Release }> = async (
  app,
  { reads, gate, siteInfo, release },
) => {
  app.addHook('onSend', cached('publicRead'))
  const stylesheet = `/embed/${release.style.name}`

  const drawn = (reply: FastifyReply, frame: Omit<Frame, 'stylesheet'>): string => {
    reply.type('text/html; charset=utf-8').header('content-security-policy', framePolicy(frame.accent))
    return framePage({ ...frame, title: `${frame.title} · ${siteInfo.name}`, stylesheet })
  }

  app.get(
    '/embed/:slug/:kind',
    {
      onRequest: gate('single', 'read'),
      schema: { hide: true, params: Type.Object({ slug: Type.String(), kind: Type.String() }) },
    },
    async ({ params: { slug, kind }, query }, reply) => {
      const asked = query as Readonly<Record<string, unknown>>
      const { look, limit, accent } = readLook(asked, reads.urls.base)
      const { theme } = look
      const found = isKind(kind) ? await authorAt(reads, slug) : undefined
      if (!isKind(kind) || !found)
        return reply.code(404).send(drawn(reply, { title: 'Nobody here', tree: nobody(look), accent, theme }))

      const { author } = found
      // A piece that is not public any more gives way to its author.
      const one = typeof asked['piece'] === 'string' ? await pieceAtAddress(reads, slug, asked['piece']) : undefined
      if (one) {
        const { title, url } = one.piece
        const page = drawn(reply, { title, canonical: url, tree: piece(look, author, one.piece), accent, theme })
        return tagged(reply, page, tagsOfPiece(one.uuid, author.slug))
      }
      const tree = await widget(kind, found, look, limit)
      const page = drawn(reply, { title: author.name, canonical: author.urls.profile, tree, accent, theme })
      return tagged(reply, page, tagsOfAuthor(author.slug))
    },
  )

  async function widget(kind: Kind, { id, author }: KnownAuthor, look: Look, limit: number): Promise<Tree> {
    if (kind === 'badge') return badge(look, author)
    if (kind === 'card') return card(look, author)
    if (kind === 'bio') return bio(look, author)
    const { items } = await piecesOfAuthor(reads, id, { limit })
    return list(look, author, items, limit)
  }
}

const nobody = (look: Look): Tree => [
  'div',
  ['class', 'w', 'data-theme', look.theme],
  [
    ['p', ['class', 'name'], ['Nobody writes here under this name']],
    [
      'p',
      ['class', 'bio'],
      [
        'The address may be misspelled. ',
        ['a', ['href', `${look.base}/search`, 'target', look.target, 'rel', 'noopener'], ['Look for the writer']],
        '.',
      ],
    ],
  ],
]
