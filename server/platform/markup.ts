const mark = Symbol('markup')

/** Markup that may stand as it is. Only this file makes it: nothing parsed from JSON can pass for it. */
export interface Markup<Kind extends string> {
  readonly [mark]: string
  /** Markup of one kind is no markup in another. */
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

/** For element content and quoted attributes. */
export const escaped = (text: string): string => text.replace(special, (character) => entities[character]!)

/** A template tag: markup with values in it. Text is put in as `spelled`; markup of this kind and lists of it as they are. */
export function markupOf<Kind extends string>(kind: Kind, spelled: (text: string) => string) {
  const asIs = (markup: string): Markup<Kind> => ({ [mark]: markup, kind, toString: textOf })

  function inserted(value: Insertable<Kind>): string {
    if (typeof value === 'string') return spelled(value)
    if (value === null || value === undefined || value === false) return ''
    if (typeof value === 'number') return String(value)
    return isOurs(value) ? value[mark] : value.map(inserted).join('')
  }
  const isOurs = (value: Markup<Kind> | readonly Insertable<Kind>[]): value is Markup<Kind> =>
    mark in value && value.kind === kind

  function tag(literals: TemplateStringsArray, ...values: readonly Insertable<Kind>[]): Markup<Kind> {
    let markup = literals[0]!
    for (let at = 0; at < values.length; at++) markup += inserted(values[at]) + literals[at + 1]!
    return asIs(markup)
  }

  return { tag, asIs }
}

function textOf(this: Markup<string>): string {
  return this[mark]
}
