import { escaped, type Markup, markupOf } from './markup.ts'

export type Xml = Markup<'xml'>

/** What XML 1.0 cannot hold, not even as a reference. */
const unspeakable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

/** A carriage return survives as a reference. */
const { tag } = markupOf('xml', (text) => escaped(text.replace(unspeakable, '')).replace(/\r/g, '&#13;'))

export const xml = tag
