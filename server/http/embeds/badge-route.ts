import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifySchemaCompiler } from 'fastify'
import Type from 'typebox'
import { tagsOfByline } from '#features/authors/cache-tags.ts'
import { authorAt } from '#features/authors/reads.ts'
import { OneAuthor } from '#features/authors/schema.ts'
import { cached, tagged } from '#platform/http/caching.ts'
import { failures, type PublicContext } from '#platform/http/public-context.ts'
import { drawBadge, drawNobody } from './badge.ts'

const type = 'image/svg+xml'
const svg = (description: string) => ({ description, content: { [type]: { schema: Type.String() } } })

const Badge = Type.Object({
  theme: Type.Optional(
    Type.Unsafe<unknown>({
      type: 'string',
      enum: ['light', 'dark'],
      default: 'light',
      description: 'Which ground it stands on. Any other value is `light`.',
    }),
  ),
  tone: Type.Optional(
    Type.Unsafe<unknown>({
      type: 'string',
      enum: ['verified'],
      description: 'Asks for the tone of verified writers. It changes nothing for those who are not.',
    }),
  ),
})

/** A picture on somebody's page must not break for a word in its address: what is unknown, or said twice, is the default. */
const takesAnything: FastifySchemaCompiler<unknown> = () => (value) => ({ value })

/** GET /embed/{slug}/badge.svg */
export const badgeRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate, siteInfo }) => {
  app.addHook('onSend', cached('publicRead'))

  app.get(
    '/embed/:slug/badge.svg',
    {
      onRequest: gate('single', 'read'),
      validatorCompiler: takesAnything,
      schema: {
        operationId: 'getBadge',
        tags: ['Authors'],
        summary: "An author's badge",
        description:
          "A pill with the author's name, for other sites, whole in itself. The tick is drawn only where the identity is verified. A former slug shows the current name.",
        params: OneAuthor,
        querystring: Badge,
        response: {
          ...failures(),
          200: svg('The badge.'),
          404: svg('No author has this slug: a grey pill that says so.'),
        },
      },
    },
    async ({ params, query }, reply) => {
      const found = await authorAt(reads, params.slug)
      const theme = query.theme === 'dark' ? 'dark' : 'light'
      reply.type(type)
      if (!found) return reply.code(404).send(drawNobody(theme))
      const { name, slug, identity_verified: verified } = found.author
      const tone = query.tone === 'verified' ? 'verified' : 'plain'
      return tagged(reply, drawBadge({ name, siteName: siteInfo.name, theme, verified, tone }), tagsOfByline(slug))
    },
  )
}
