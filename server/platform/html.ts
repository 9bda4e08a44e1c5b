import { escaped, type Markup, markupOf } from './markup.ts'

export type Html = Markup<'html'>

const { tag, asIs } = markupOf('html', escaped)

export const html = tag

/**
 * What the site's own pipeline rendered and sanitised, as it is stored: the one markup that goes into a page
 * unescaped. html.test.ts names who may ask for it.
 */
export const storedMarkup = (rendered: string): Html => asIs(rendered)

/** Data inside a script element that does not run: no character of it can end the element or begin another. */
export const jsonData = (value: object): Html =>
  asIs(
    JSON.stringify(value).replace(
      /[<>&\u2028\u2029]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )
