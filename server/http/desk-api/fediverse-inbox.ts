import type { FastifyPluginAsync } from 'fastify'
import { type InboxContext, type Received, receiveActivity } from '#features/fediverse/inbox.ts'
import { network } from '#platform/http/limits.ts'
import { privateHeaders } from '#platform/http/security.ts'
import { type DeskRoutesContext, hidden, rejectApiKey } from './session.ts'

export interface InboxRoutesContext extends Pick<DeskRoutesContext, 'gate'> {
  readonly inbox: InboxContext
  readonly prefix?: string
}

/** An activity with a long text; those that we handle take a few kilobytes. */
const maxBytes = 131_072

const answers: Readonly<Record<Received, readonly [status: number, text: string]>> = {
  accepted: [202, ''],
  malformed: [400, 'This is not JSON of an activity.\n'],
  unsigned: [401, 'No signature of the actor covers this request, or its key cannot be fetched from its server.\n'],
  blocked: [403, 'This site has blocked your server.\n'],
  limit: [429, 'Your server or network has sent too many activities today. Try again tomorrow.\n'],
  busy: [503, 'Too many accounts are being fetched. Try again soon.\n'],
}

/**
 * /desk/fediverse/inbox, for all actors and for each: what other servers send, signed instead of with a cookie or key. Here since
 * it writes. Of all requests at the desk these are refused first.
 */
export const inboxRoutes: FastifyPluginAsync<InboxRoutesContext> = async (app, { inbox, gate }) => {
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', rejectApiKey)
  app.removeAllContentTypeParsers()
  // The signature is of these bytes.
  const types = /^application\/(?:activity\+json|ld\+json|json)(?:;|$)/
  app.addContentTypeParser(types, { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
    done(null, body),
  )

  for (const path of ['/fediverse/inbox', '/fediverse/actors/:id/inbox']) {
    app.post(path, { onRequest: gate('tools', 'read'), schema: hidden }, async (request, reply) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) =>
          typeof value === 'string' && !unsent.has(name) ? [[name, value]] : [],
        ),
      )
      const url = new URL(request.url, inbox.urls.base).href
      const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
      const outcome = await receiveActivity(inbox, { url, headers, body }, network(request.ip ?? ''))
      const [status, text] = answers[outcome]
      reply.type('text/plain; charset=utf-8')
      if (status === 429) reply.header('retry-after', '3600')
      if (status === 503) reply.header('retry-after', '30')
      return reply.code(status).send(text)
    })
  }
}

/** Of the connection; and the host, which is ours, whatever a proxy has made of it. */
const unsent = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect', 'te', 'trailer'])
