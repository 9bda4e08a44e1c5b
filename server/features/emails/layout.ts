import Type, { type Static, type TObject, type TProperties } from 'typebox'
import type { Translator } from '#messages/translator.ts'
import { html } from '#platform/html.ts'
import { action, below, emailDocument, foot, styles } from './frame.ts'

/** The site as named in emails. */
export interface Site {
  readonly name: string
  /** Without a trailing slash. */
  readonly base: string
}

/** The content of an email, before rendering as text and HTML. */
export interface EmailContent {
  readonly subject: string
  readonly before: readonly string[]
  /** The one call to action, if any. */
  readonly action?: { readonly label: string; readonly url: string }
  readonly after: readonly string[]
}

export interface Email {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Renders the same content as plain text and as HTML. */
export function layOutEmail(content: EmailContent, site: Site, t: Translator): Email {
  return { subject: oneLine(content.subject), text: renderText(content, site), html: renderHtml(content, site, t) }
}

/** Collapses to one line, since the site's name may contain anything. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

function renderText({ before, action, after }: EmailContent, site: Site): string {
  const parts = [...before, ...(action ? [`${action.label}:\n${action.url}`] : []), ...after]
  return `${parts.join('\n\n')}\n\n${site.name}\n${site.base}\n`
}

function renderHtml(
  { subject, before, action: asked, after }: EmailContent,
  site: Site,
  { language, dir }: Translator,
): string {
  const title = oneLine(subject)
  const paragraph = (text: string) => html`
    <p style="${styles.prose(below)}">${text}</p>`
  const content = html`
    <h1 style="${styles.heading(24, '0 0 24px')}">${title}</h1>${before.map(paragraph)}${asked && action(asked.label, asked.url)}${after.map(paragraph)}${foot(site)}`
  return emailDocument({ title, language, dir, content })
}

/** Building blocks of templates: parameter schemas, links and formatting. */

export const Token = Type.String({ pattern: '^[A-Za-z0-9_-]{16,128}$' })
export const Hours = Type.Integer({ minimum: 1, maximum: 168 })
export const Days = Type.Integer({ minimum: 1, maximum: 30 })
export const Time = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?Z$' })
export const PieceId = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
/** A moderator's words. Only for emails whose text comes from the database: no job can carry one. */
export const Quoted = Type.String({ minLength: 1, maxLength: 2000 })
/** The headline of a piece or the name of a listing, from the database too. */
export const Headline = Type.String({ minLength: 1, maxLength: 500 })
export const ListingSlug = Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$', maxLength: 90 })
export const KeyPrefix = Type.String({ pattern: '^pk_live_[0-9a-f]{4}$' })

export interface Template<Properties extends TProperties> {
  readonly params: TObject<Properties>
  write(params: Static<TObject<Properties>>, site: Site, t: Translator): EmailContent
}
export const template = <Properties extends TProperties>(
  properties: Properties,
  write: Template<Properties>['write'],
): Template<Properties> => ({ params: Type.Object(properties, { additionalProperties: false }), write })

export const onlinePresenceUrl = ({ base }: Site): string => `${base}/desk/edit/online-presence`
export const webhookUrl = ({ base }: Site): string => `${base}/desk/edit/online-presence#webhook`
export const accountUrl = ({ base }: Site): string => `${base}/desk/account`
export const takeBackUrl = ({ base }: Site, token: string): string => `${base}/desk/reset-password#${token}`
export const profileUrl = ({ base }: Site): string => `${base}/desk/edit/profile`
export const publicPieceUrl = ({ base }: Site, id: string): string => `${base}/p/${id}`
export const listingUrl = ({ base }: Site, slug: string): string => `${base}/shop/${slug}`
export const editPieceUrl = ({ base }: Site, id: string): string => `${base}/desk/edit/pieces/${id}`

export const resetPasswordUrl = ({ base }: Site): string => `${base}/desk/forgot-password`

/** With its time zone: an email is read anywhere. */
export const formatTime = (t: Translator, time: string): string =>
  t.date(time, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })

/** For a subject. */
export const shorten = (headline: string): string =>
  [...headline].length <= 40 ? headline : `${[...headline].slice(0, 39).join('').trimEnd()}…`
