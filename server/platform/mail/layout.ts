import { html } from '../html.ts'

/** The site as its letters name it. */
export interface Site {
  readonly name: string
  /** Without a slash at its end. */
  readonly base: string
}

/** What a letter says, before it is set in two ways. */
export interface Words {
  readonly subject: string
  readonly before: readonly string[]
  /** The one thing to do, if there is one. */
  readonly action?: { readonly label: string; readonly url: string }
  readonly after: readonly string[]
}

export interface Letter {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The same words as plain text and as HTML. */
export function setLetter(words: Words, site: Site): Letter {
  return { subject: oneLine(words.subject), text: asText(words, site), html: asHtml(words, site) }
}

/** A header is one line, whatever is in the name of the site. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

function asText({ before, action, after }: Words, site: Site): string {
  const parts = [...before, ...(action ? [`${action.label}:\n${action.url}`] : []), ...after]
  return `${parts.join('\n\n')}\n\n${site.name}\n${site.base}\n`
}

const serif = 'Georgia,Times New Roman,serif'
const sans = '-apple-system,Segoe UI,Roboto,sans-serif'
const ink = 'color:#1c1917'
const prose = `margin:0 0 18px;font:18px/1.55 ${serif};${ink}`
const small = `font:14px/1.5 ${sans};${ink}`
const button = `display:inline-block;padding:12px 20px;border-radius:6px;background:#9c1c1c;color:#fff;font:600 16px/1.25 ${sans};text-decoration:none`

function asHtml({ subject, before, action, after }: Words, site: Site): string {
  const paragraph = (text: string) => html`
    <p style="${prose}">${text}</p>`
  const doing =
    action &&
    html`
    <p style="margin:0 0 12px"><a class="action" href="${action.url}" style="${button}">${action.label}</a></p>
    <p style="margin:0 0 24px;${small};overflow-wrap:anywhere">${action.url}</p>`
  const markup = html`<!doctype html>
<html lang="en">
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
    <h1 style="margin:0 0 24px;font:bold 24px/1.25 ${serif};${ink}">${oneLine(subject)}</h1>${before.map(paragraph)}${doing}${after.map(paragraph)}
    <p style="margin:32px 0 0;padding:16px 0 0;border-top:1px solid #d6d0c8;${small}">${site.name}<br>
      <a href="${site.base}" style="color:#9c1c1c">${site.base}</a></p>
  </body>
</html>
`
  return String(markup)
}
