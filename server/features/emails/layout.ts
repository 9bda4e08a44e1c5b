import Type, { type Static, type TObject, type TProperties } from 'typebox'
import type { Translator } from '#messages/translator.ts'
import { html } from '#platform/html.ts'

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

const serif = 'Georgia,Times New Roman,serif'
const sans = '-apple-system,Segoe UI,Roboto,sans-serif'
const ink = 'color:#1c1917'
/** Words of any length break, and stacked marks stay off the lines around them. */
const contained = 'overflow:hidden;overflow-wrap:anywhere'
const prose = `margin:0 0 18px;font:18px/1.55 ${serif};${ink};${contained}`
const small = `font:14px/1.5 ${sans};${ink};${contained}`
const button = `display:inline-block;padding:12px 20px;border-radius:6px;background:#9c1c1c;color:#fff;font:600 16px/1.25 ${sans};text-decoration:none`

function renderHtml(
  { subject, before, action, after }: EmailContent,
  site: Site,
  { language, dir }: Translator,
): string {
  const paragraph = (text: string) => html`
    <p style="${prose}">${text}</p>`
  const doing =
    action &&
    html`
    <p style="margin:0 0 12px"><a class="action" href="${action.url}" style="${button}">${action.label}</a></p>
    <p style="margin:0 0 24px;${small}"><span dir="ltr">${action.url}</span></p>`
  // Language and direction twice: webmail drops html and body.
  const markup = html`<!doctype html>
<html lang="${language}" dir="${dir}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <title>${oneLine(subject)}</title>
    <style>
      @media (prefers-color-scheme: dark) {
        body { background: #1a1816 !important }
        h1, p { color: #ece7e1 !important }
        a { color: #f2a49a !important }
        a.action { background: #ece7e1 !important; color: #1a1816 !important }
      }
    </style>
  </head>
  <body style="margin:0 auto;max-width:560px;padding:32px 24px;background:#fdfcfa">
    <div lang="${language}" dir="${dir}">
    <h1 style="margin:0 0 24px;font:bold 24px/1.3 ${serif};${ink};${contained}">${oneLine(subject)}</h1>${before.map(paragraph)}${doing}${after.map(paragraph)}
    <p style="margin:32px 0 0;padding:16px 0 0;border-top:1px solid #d6d0c8;${small}">${site.name}<br>
      <a href="${site.base}" style="color:#9c1c1c"><span dir="ltr">${site.base}</span></a></p>
    </div>
  </body>
</html>
`
  return String(markup)
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
