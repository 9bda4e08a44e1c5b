import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { SiteInfo } from '#config/site-info.ts'
import { handleOfSubject } from '#features/fediverse/reads.ts'
import {
  askToFollow,
  confirmFollows,
  followsAnything,
  followsOf,
  readFollowForm,
  setFrequency,
  stopEmail,
  stopFollowing,
} from '#features/followers/follow.ts'
import type { ReaderKeys } from '#features/followers/keys.ts'
import { type FollowForm, isFrequency, type Subject } from '#features/followers/schema.ts'
import { subjectAt } from '#features/followers/subjects.ts'
import { followConsent } from '#http/follow-form.ts'
import { translatorOf } from '#messages/translator.ts'
import { ServiceError } from '#platform/errors.ts'
import { failure } from '#platform/http/errors.ts'
import { network } from '#platform/http/limits.ts'
import { privateHeaders, publicPage } from '#platform/http/security.ts'
import { normalise } from '#platform/text/normalise.ts'
import { type Change, changes, followPages } from './follow-page.ts'
import { type FormField, fieldsOf, readForms } from './forms.ts'
import { type DeskRoutesContext, hidden, rejectApiKey, requireSameOrigin } from './session.ts'

export interface FollowRoutesContext extends DeskRoutesContext {
  readonly siteInfo: SiteInfo
  readonly keys: ReaderKeys
  /** The address that emails come from. */
  readonly sender: string
  readonly prefix?: string
}

/** Following by email: without an account, a cookie or a script. */
export const followRoutes: FastifyPluginAsyncTypebox<FollowRoutesContext> = async (app, options) => {
  const context: FollowRoutesContext = { ...options, prefix: '' }
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', rejectApiKey)
  await app.register(formRoutes, context)
  await app.register(readerRoutes, context)
  await app.register(stopRoutes, context)
}

const show = (reply: FastifyReply, { desk }: FollowRoutesContext, page: string, status = 200) => {
  publicPage(reply, desk.urls)
  return reply.code(status).type('text/html; charset=utf-8').send(page)
}

const subjectPaths: readonly string[] = ['site', 'author/:name', 'section/:name', 'topic/:name', 'series/:name/:series']

const OneSubject = Type.Object({ name: Type.Optional(Type.String()), series: Type.Optional(Type.String()) })

/** /desk/follow/{subject}: the form, and the page that says to look for an email. */
const formRoutes: FastifyPluginAsyncTypebox<FollowRoutesContext> = async (app, context) => {
  const { desk, gate, keys, siteInfo, sender } = context
  const { urls } = desk
  const { language } = siteInfo
  const t = translatorOf(language)
  const pages = followPages(siteInfo, urls, sender)
  const follows = { ...desk, keys }
  const readRoute = { onRequest: gate('desk', 'read'), schema: { ...hidden, params: OneSubject } }
  const sendRoute = { ...readRoute, onRequest: gate('desk', 'signIn') }
  readForms(app, maxFormBytes, readForm)
  app.addHook('onRequest', requireSameOrigin(context))

  for (const shape of subjectPaths) {
    const pathIn = ({ name = '', series = '' }: Static<typeof OneSubject>): string =>
      shape.replace(':name', () => name).replace(':series', () => series)
    const subjectOf = async (params: Static<typeof OneSubject>): Promise<Subject> => {
      const subject = await subjectAt(desk, pathIn(params))
      if (!subject) throw failure(404)
      return subject
    }

    app.get(`/follow/${shape}`, readRoute, async ({ params }, reply) => {
      const subject = await subjectOf(params)
      if (decodeURIComponent(subject.path) !== pathIn(params)) return reply.redirect(urls.follow(subject.path), 302)
      return show(reply, context, pages.form(subject, await handleOfSubject(desk, subject)))
    })

    app.post(`/follow/${shape}`, sendRoute, async (request, reply) => {
      const subject = await subjectOf(request.params)
      const { trap, ...form } = (request.body as SentForm | undefined) ?? readForm(fieldsOf(''))
      try {
        const asked = readFollowForm(form)
        const consent = followConsent(t, siteInfo, subject)
        const from = { page: pageOf(request, subject), network: network(request.ip ?? ''), consent, language }
        if (trap === '') await askToFollow(follows, subject, asked, from)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        if (error.reason === 'validation_failed')
          return show(
            reply,
            context,
            pages.form(subject, await handleOfSubject(desk, subject), form, error.errors),
            error.status,
          )
        if (error.reason === 'limit_reached') return show(reply, context, pages.tooMany(subject), error.status)
        throw error
      }
      return reply.redirect(`${urls.follow(subject.path)}/sent`, 303)
    })

    app.get(`/follow/${shape}/sent`, readRoute, async ({ params }, reply) =>
      show(reply, context, pages.sent(await subjectAt(desk, pathIn(params)))),
    )
  }

  /** The path of the page that the form was on. */
  function pageOf({ headers }: FastifyRequest, { url }: Subject): string {
    const from = URL.parse(headers.referer ?? '')
    return from?.origin === context.origin ? from.pathname : new URL(url).pathname
  }
}

/** The submitted form, and a honeypot field that people do not see and bots fill in. */
interface SentForm extends FollowForm {
  readonly trap: string
}

/** 254 characters, percent-encoded at three characters per byte, plus the rest. */
const maxFormBytes = 4000

const readForm = (field: FormField): SentForm => ({
  email: field('email'),
  frequency: field('frequency'),
  trap: field('website'),
})

const OneToken = Type.Object({ token: Type.String({ maxLength: 100 }) })

/**
 * The token is in the address of these pages: it goes into no Referer header and no search engine. Without any referrer
 * browsers would hide the origin of their forms too, by which we know them.
 */
const secretAddress = (app: Parameters<FastifyPluginAsyncTypebox>[0]) =>
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers({ 'referrer-policy': 'strict-origin', 'x-robots-tag': 'noindex' })
    done()
  })

/** /desk/following/{token}: what one reader follows. The token is the permission: no cookie is read. */
const readerRoutes: FastifyPluginAsyncTypebox<FollowRoutesContext> = async (app, context) => {
  const { desk, gate, keys, siteInfo, sender } = context
  const pages = followPages(siteInfo, desk.urls, sender)
  const follows = { ...desk, keys }
  const params = OneToken
  const querystring = Type.Object({ done: Type.Optional(Type.String()) })
  const sendRoute = { onRequest: gate('desk', 'signIn'), schema: { ...hidden, params } }
  readForms(app, maxFormBytes, readChange)
  secretAddress(app)
  app.addHook('onRequest', requireSameOrigin(context))

  app.get(
    '/following/:token',
    { onRequest: gate('desk', 'read'), schema: { ...hidden, params, querystring } },
    async (request, reply) => {
      const { token } = request.params
      const reader = keys.readerOf(token)
      if (reader === undefined) return show(reply, context, pages.badLink(), 404)
      const followed = await followsOf(follows, reader)
      if (followed.length === 0 && !(await followsAnything(desk, reader))) return show(reply, context, pages.nothing())
      const change = changes.find((one) => one === request.query.done)
      return show(reply, context, pages.following(token, followed, change))
    },
  )

  type Act = (reader: string, given: SentChange, network: string) => Promise<Change>

  const acts: Readonly<Record<string, Act>> = {
    confirm: async (reader, _, from) => {
      await confirmFollows(follows, reader, from)
      return 'confirmed'
    },
    change: async (reader, { subject, frequency }) => {
      if (isFrequency(frequency)) await setFrequency(follows, reader, subject, frequency)
      return 'changed'
    },
    stop: async (reader, { subject, isAll }) => {
      await stopFollowing(follows, reader, isAll ? undefined : subject)
      return 'stopped'
    },
  }

  for (const [name, act] of Object.entries(acts)) {
    app.post(`/following/:token/${name}`, sendRoute, async (request, reply) => {
      const { token } = request.params
      const reader = keys.readerOf(token)
      if (reader === undefined) return show(reply, context, pages.badLink(), 404)
      const given = (request.body as SentChange | undefined) ?? readChange(fieldsOf(''))
      const done = await act(reader, given, network(request.ip ?? ''))
      return reply.redirect(`${desk.urls.following(token)}?done=${done}`, 303)
    })
  }
}

interface SentChange {
  readonly subject: string
  readonly frequency: string
  readonly isAll: boolean
}

const readChange = (field: FormField): SentChange => ({
  subject: normalise(field('subject')),
  frequency: field('frequency'),
  isAll: field('all') === 'yes',
})

/** What the form of our own page sends. */
const ofPage = 'page=yes'

/**
 * /desk/following/stop/{token}: stops what one email was sent for. Mail programs post here by themselves, with a body
 * that says so, and without cookies or an origin (RFC 8058). Nothing is stopped by opening the page.
 */
const stopRoutes: FastifyPluginAsyncTypebox<FollowRoutesContext> = async (app, context) => {
  const { desk, gate, keys, siteInfo, sender } = context
  const pages = followPages(siteInfo, desk.urls, sender)
  const route = { onRequest: gate('desk', 'read'), schema: { ...hidden, params: OneToken } }
  secretAddress(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxFormBytes }, (_request, body, done) =>
    done(null, body.toString()),
  )

  app.get('/following/stop/:token', route, async ({ params: { token } }, reply) =>
    keys.emailOf(token) === undefined
      ? show(reply, context, pages.badLink(), 404)
      : show(reply, context, pages.stopEmail(token)),
  )

  app.post('/following/stop/:token', route, async ({ params: { token }, body }, reply) => {
    const [email, reader] = [keys.emailOf(token), keys.readerOfEmail(token)]
    if (email === undefined) return show(reply, context, pages.badLink(), 404)
    const isKnown = await stopEmail({ ...desk, keys }, email)
    if (isKnown || reader === undefined || !(await followsAnything(desk, reader)))
      return show(reply, context, pages.emailStopped(isKnown))
    // What an old email was sent for is not known any more: people choose, and for a mail program everything ends.
    if (body === ofPage) return reply.redirect(desk.urls.following(keys.readerToken(reader)), 303)
    await stopFollowing({ ...desk, keys }, reader)
    return show(reply, context, pages.emailStopped(true))
  })
}
