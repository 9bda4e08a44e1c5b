import type { FastifyPluginAsync } from 'fastify'
import { askForFeed, type Feed, readHubForm, type SubscribeContext } from '#features/websub/subscribe.ts'
import { ServiceError } from '#platform/errors.ts'
import { network } from '#platform/http/limits.ts'
import { privateHeaders } from '#platform/http/security.ts'
import { fieldsOf, readForms } from './forms.ts'
import { type DeskRoutesContext, hidden, rejectApiKey } from './session.ts'

export interface FeedHubRoutesContext extends Pick<DeskRoutesContext, 'gate'> {
  readonly subscribing: SubscribeContext
  /** The feed at an address of this site. */
  readonly feedAt: (address: string) => Promise<Feed | undefined>
  readonly prefix?: string
}

/** The longest callback and topic, percent-encoded, and the rest. */
const maxFormBytes = 16_384

/**
 * /desk/websub: the hub of every feed (W3C WebSub). Programs of other sites send this form, without cookies and a key;
 * what it asks for is done when the callback in it has confirmed it. Errors are plain text, as the specification says.
 */
export const feedHubRoutes: FastifyPluginAsync<FeedHubRoutesContext> = async (app, { gate, subscribing, feedAt }) => {
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', rejectApiKey)
  readForms(app, maxFormBytes, (field) => field)

  app.post('/websub', { onRequest: gate('desk', 'signIn'), schema: hidden }, async (request, reply) => {
    reply.type('text/plain; charset=utf-8')
    try {
      const asked = readHubForm((request.body as ReturnType<typeof fieldsOf> | undefined) ?? fieldsOf(''), subscribing)
      const feed = asked.mode === 'subscribe' ? await feedAt(asked.topic) : undefined
      await askForFeed(subscribing, asked, feed, network(request.ip ?? ''))
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error
      return reply.code(error.status).headers(error.headers).send(`${error.message}\n`)
    }
    return reply.code(202).send('The callback will be asked to confirm this.\n')
  })
}
