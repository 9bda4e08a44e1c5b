const mark = Symbol('markup')

/** Markup that is inserted unescaped. Only this file creates it, so nothing parsed from JSON can pass for it. */
interface Markup<Kind extends string> {
  readonly [mark]: string
  /** Markup of one kind is escaped in another. */
  readonly kind: Kind
  toString(): string
}

type Insertable<Kind extends string> = Markup<Kind> | string | number | Nothing | readonly Insertable<Kind>[]
type Nothing = false | null | undefined

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const special = /[&<>"']/g

/** Escapes element content and quoted attributes. */
const escaped = (text: string): string => text.replace(special, (character) => entities[character]!)

/**
 * Creates a template tag. Strings are escaped with `escapeText`; markup of this kind and lists of it are inserted as they
 * are.
 */
function markupOf<Kind extends string>(kind: Kind, escapeText: (text: string) => string) {
  const raw = (markup: string): Markup<Kind> => ({ [mark]: markup, kind, toString: textOf })

  function inserted(value: Insertable<Kind>): string {
    if (typeof value === 'string') return escapeText(value)
    if (value === null || value === undefined || value === false) return ''
    if (typeof value === 'number') return String(value)
    return isMarkup(value) ? value[mark] : value.map(inserted).join('')
  }
  const isMarkup = (value: Markup<Kind> | readonly Insertable<Kind>[]): value is Markup<Kind> =>
    mark in value && value.kind === kind

  function tag(literals: TemplateStringsArray, ...values: readonly Insertable<Kind>[]): Markup<Kind> {
    let markup = literals[0]!
    for (let at = 0; at < values.length; at++) markup += inserted(values[at]) + literals[at + 1]!
    return raw(markup)
  }

  return { tag, raw }
}

function textOf(this: Markup<string>): string {
  return this[mark]
}

export type Html = Markup<'html'>

const { tag, raw } = markupOf('html', escaped)

export const html = tag

/**
 * Markup rendered and sanitised by our own pipeline, as stored: the only markup that enters a page unescaped.
 * markup.test.ts lists the modules that may call this.
 */
export const storedMarkup = (rendered: string): Html => raw(rendered)

/** Data for a script element of a non-executable type: escaped so that it cannot close the element or open another. */
export const jsonData = (value: object): Html =>
  raw(
    JSON.stringify(value).replace(
      /[<>&\u2028\u2029]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )

export type Xml = Markup<'xml'>

/** Characters XML 1.0 cannot contain, not even as a reference. */
const unspeakable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

/** A carriage return survives only as a character reference. */
const xmlMarkup = markupOf('xml', (text) => escaped(text.replace(unspeakable, '')).replace(/\r/g, '&#13;'))

export const xml = xmlMarkup.tag
