import { type Html, html } from '#platform/html.ts'
import { tokenColour } from '#platform/page/colours.ts'

/**
 * How emails look: one column, the typefaces that devices have, and the colours of the pages. Outlook for Windows draws with
 * Word, which knows no max-width; Gmail drops a style element in which it does not know something.
 */

/** Of the column, and of pictures in it, in CSS pixels. */
export const columnWidth = 552
const margin = 24

const serif = 'Georgia,Times New Roman,serif'
const sans = '-apple-system,Segoe UI,Roboto,sans-serif'
export const mono = 'Menlo,Consolas,monospace'

const colour = (name: string) => `color:${tokenColour(name)}`
/** Stacked marks stay off the lines around them. */
const words = (font: string, ink: string) => (margin: string) =>
  `margin:${margin};font:${font};${colour(ink)};overflow:hidden`

/** Inline styles, since some clients drop the others; of words by their margin. */
export const styles = {
  prose: words(`18px/1.55 ${serif}`, 'ink'),
  standfirst: words(`21px/1.4 ${serif}`, 'soft'),
  small: words(`14px/1.5 ${sans}`, 'ink'),
  soft: words(`14px/1.5 ${sans}`, 'soft'),
  heading: (size: number, margin: string) => words(`bold ${size}px/1.25 ${serif}`, 'ink')(margin),
  cell: `font:16px/1.45 ${serif};${colour('ink')}`,
  link: `${colour('accent')};text-decoration:underline`,
  /** Of a link whose place says that it is one. */
  plain: `${colour('ink')};text-decoration:none`,
  wash: `background:${tokenColour('wash')}`,
  edge: tokenColour('edge'),
  rule: tokenColour('rule'),
} as const

/** Of most paragraphs. */
export const below = '0 0 18px'

const button = `display:inline-block;padding:12px 20px;border-radius:6px;background:${tokenColour('accent')};color:#fff;font:600 16px/1.25 ${sans};text-decoration:none`

/** A link as a button; and its address, for who wants to see it before. */
export const action = (label: string, url: string): Html => html`
    <p style="margin:0 0 12px"><a class="action" href="${url}" style="${button}">${label}</a></p>
    <p style="${styles.small('0 0 24px')}"><span dir="ltr">${decodeURI(url)}</span></p>`

/** The end of every email; what was said before about why it came. */
export const foot = ({ name, base }: { readonly name: string; readonly base: string }, before?: Html): Html => html`
    <div class="line" style="margin:32px 0 0;padding:16px 0 0;border-top:1px solid ${styles.rule}">${before}
    <p style="${styles.small('0')}">${name}<br>
      <a href="${base}" style="${styles.link}"><span dir="ltr">${base}</span></a></p>
    </div>`

/** In the dark: selector, property, colour. */
const dark: readonly (readonly [selector: string, property: string, colour: string])[] = [
  ['.paper', 'background', 'paper'],
  ['pre, code', 'background', 'wash'],
  ['h1, h2, h3, h4, h5, h6, p, li, th, td, pre', 'color', 'ink'],
  ['.soft', 'color', 'soft'],
  ['a', 'color', 'accent'],
  ['a.plain', 'color', 'ink'],
  ['a.action', 'background', 'ink'],
  ['a.action', 'color', 'paper'],
  ['.line, th, td, blockquote', 'border-color', 'rule'],
]

const rulesIn = (scopeOf: (property: string) => string): string =>
  dark
    .map(([selectors, property, name]) => {
      const scoped = selectors.split(', ').map((one) => scopeOf(property) + one)
      return `${scoped.join(',')}{${property}:${tokenColour(name, 'dark')} !important}`
    })
    .join('\n        ')

interface Framed {
  readonly title: string
  readonly language: string
  readonly dir: 'ltr' | 'rtl'
  readonly content: Html
}

/** A whole email. Language and direction twice: webmail drops html and body. */
export const emailDocument = ({ title, language, dir, content }: Framed): string => {
  const paper = `background:${tokenColour('paper')}`
  return String(html`<!doctype html>
<html lang="${language}" dir="${dir}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <title>${title}</title>
    <style>
      @media (prefers-color-scheme: dark) {
        ${rulesIn(() => '')}
      }
    </style>
    <style>
        ${rulesIn((property) => (property === 'color' ? '[data-ogsc] ' : '[data-ogsb] '))}
    </style>
  </head>
  <body class="paper" style="margin:0;padding:0;${paper}">
    <!--[if mso]><table role="presentation" align="center" width="${columnWidth + 2 * margin}"><tr><td><![endif]-->
    <div class="paper" lang="${language}" dir="${dir}" style="max-width:${columnWidth}px;margin:0 auto;padding:32px ${margin}px;overflow-wrap:anywhere;${paper}">${content}
    </div>
    <!--[if mso]></td></tr></table><![endif]-->
  </body>
</html>
`)
}
