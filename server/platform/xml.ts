const mark = Symbol('xml')

/** XML that may stand as it is. Only `xml` makes it. */
export interface Xml {
  readonly [mark]: string
  toString(): string
}

type Insertable = Xml | string | number | false | null | undefined | readonly Insertable[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** What XML 1.0 cannot hold, not even as a reference. */
const unspeakable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

/** XML with values in it, escaped for element content and quoted attributes; a carriage return survives as a reference. */
export function xml(literals: TemplateStringsArray, ...values: readonly Insertable[]): Xml {
  const markup = literals.reduce((so, literal, at) => so + inserted(values[at - 1]) + literal)
  return Object.freeze({ [mark]: markup, toString: () => markup })
}

function inserted(value: Insertable): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value)
      .replace(unspeakable, '')
      .replace(/[&<>"']/g, (character) => entities[character]!)
      .replace(/\r/g, '&#13;')
  }
  return isXml(value) ? value[mark] : value.map(inserted).join('')
}

const isXml = (value: Xml | readonly Insertable[]): value is Xml => mark in value
