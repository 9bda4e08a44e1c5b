import type { Values } from '#messages/format.ts'
import type { MessageId, ValuesOf } from '#messages/message.ts'
import type { Translator } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'

/** A message with markup: values are escaped unless they are markup, and each tag is a function of its content. */
export const inHtml = <Id extends MessageId>(t: Translator, id: Id, ...values: ValuesOf<Id, Html>): Html =>
  join(t.parts(id, (values[0] ?? {}) as Values<Html>, join))

const join = (parts: readonly (string | Html)[]): Html => html`${parts}`
