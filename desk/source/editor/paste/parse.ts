import { trusted } from '../../components/trusted.ts'
import { markdownOf } from './markdown.ts'

/** The one place where the desk reads foreign HTML. What it makes is a document apart: nothing in it runs or loads. */

/**
 * The desk's policy forbids style attributes and handlers, and the browser reports them even in a document apart. They
 * are renamed before it reads them; what a style says about the text is still there to be read.
 */
const tag = /<[a-z][^\s/>]*(?:"[^"]*"|'[^']*'|[^'"<>])*>/gi
const forbidden = /"[^"]*"|'[^']*'|(?<=\s)(?:style|on[a-z]+)(?=\s*=)/gi
const sheet = /<style\b.*?<\/style\s*>/gis

const renamed = (html: string): string =>
  html
    .replace(sheet, '')
    .replace(tag, (whole) =>
      whole.replace(forbidden, (part) =>
        /^["']/.test(part) ? part : /^style$/i.test(part) ? 'data-look' : 'data-act',
      ),
    )

/** More than any text a writer pastes; what is longer is pasted plainly. */
const longest = 4_000_000

/** As Markdown; undefined where the HTML says no more than the plain text beside it. */
export function pasted(html: string): string | undefined {
  if (html.length > longest) return undefined
  const { body } = new DOMParser().parseFromString(trusted(renamed(html)), 'text/html')
  return saysMore(body) ? markdownOf(body) || undefined : undefined
}

const telling = 'h1,h2,h3,h4,h5,h6,ul,ol,table,blockquote,hr,a[href],img[src],em,i,strong,b,code,del,s'
const tellingLook = /mso-list|font-weight:\s*(bold|[6-9]00)|font-style:\s*italic|line-through/i
const painted = '[data-look*="white-space: pre;"]'

/** Plain text wins over HTML that only paints it: so Markdown copied from another editor stays as it is. */
function saysMore(body: Element): boolean {
  if (body.querySelector(painted)) return false
  const looks = [...body.querySelectorAll('[data-look]')].map((element) => element.getAttribute('data-look') ?? '')
  return body.querySelector(telling) !== null || looks.some((look) => tellingLook.test(look))
}
