const mark = Symbol('html')

/** Markup that may stand as it is. Only this file makes it: nothing parsed from JSON can pass for it. */
export interface Html {
  readonly [mark]: string
  toString(): string
}

type Insertable = Html | string | number | false | null | undefined | readonly Insertable[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Markup with values in it: text is escaped, for element content and quoted attributes; markup and lists of it are not. */
export function html(literals: TemplateStringsArray, ...values: readonly Insertable[]): Html {
  let markup = literals[0]!
  for (let at = 0; at < values.length; at++) markup += inserted(values[at]) + literals[at + 1]!
  return marked(markup)
}

/**
 * What the house's own pipeline rendered and sanitised, as it is stored: the one markup that goes into a page
 * unescaped. server/architecture.test.ts names who may ask for it.
 */
export const storedMarkup = (rendered: string): Html => marked(rendered)

/** Data inside a script element that does not run: no character of it can end the element or begin another. */
export const jsonData = (value: object): Html =>
  marked(
    JSON.stringify(value).replace(
      /[<>&\u2028\u2029]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )

const marked = (markup: string): Html => ({ [mark]: markup, toString: markupOf })

function markupOf(this: Html): string {
  return this[mark]
}

function inserted(value: Insertable): string {
  if (typeof value === 'string') return value.replace(special, escaped)
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'number') return String(value)
  return isHtml(value) ? value[mark] : value.map(inserted).join('')
}

const special = /[&<>"']/g
const escaped = (character: string): string => entities[character]!

const isHtml = (value: Html | readonly Insertable[]): value is Html => mark in value
