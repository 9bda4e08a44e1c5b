const mark = Symbol('html')

/** Markup that may stand as it is. Only `html` makes it: nothing parsed from JSON can pass for it. */
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
  const markup = literals.reduce((so, literal, at) => so + inserted(values[at - 1]) + literal)
  return Object.freeze({ [mark]: markup, toString: () => markup })
}

function inserted(value: Insertable): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value).replace(/[&<>"']/g, (character) => entities[character]!)
  }
  return isHtml(value) ? value[mark] : value.map(inserted).join('')
}

const isHtml = (value: Html | readonly Insertable[]): value is Html => mark in value
