import { createElement, Fragment, type ReactNode } from 'react'
import {
  type Compiled,
  type Formats,
  formatParts,
  formatsFor,
  formatText,
  type Values,
} from '../../server/messages/format.ts'
import type { Message, MessageId, ValuesOf } from '../../server/messages/message.ts'

/**
 * The desk's messages in the language of this person. The language is fixed until the page is loaded again; a page's
 * messages are loaded with it (routes.tsx), so none may be asked for when a module is loaded.
 */

export type { MessageId, PlainMessageId } from '../../server/messages/message.ts'

const catalogue: Record<string, Compiled> = {}

/** Numbers, dates and lists in this person's language and time zone. */
export let formats: Formats = formatsFor('en-GB')

export function setLanguage(locale: string): void {
  formats = formatsFor(locale)
}

export function addMessages(messages: Readonly<Record<string, Compiled>>): void {
  Object.assign(catalogue, messages)
}

const messageOf = (id: string): Compiled => {
  const message = catalogue[id]
  if (message === undefined) throw new Error(`the message ${id} is not loaded`)
  return message
}

/** A message as text. */
export const t = <Id extends MessageId>(id: Id, ...values: ValuesOf<Id, string>): string =>
  formatText(messageOf(id), (values[0] ?? {}) as Values<string>, formats)

/** A message that was made elsewhere, as text. */
export const say = ({ id, values }: Message): string => formatText(messageOf(id), values, formats)

/** A message with elements in it. */
export const rich = <Id extends MessageId>(id: Id, ...values: ValuesOf<Id, ReactNode>): ReactNode =>
  join(formatParts(messageOf(id), (values[0] ?? {}) as Values<ReactNode>, formats, join))

const join = (parts: readonly ReactNode[]): ReactNode => createElement(Fragment, null, ...parts)
