import type { Values } from './format.ts'
import type { MessageValues } from './messages.generated.ts'

/** Every message there is: the keys of en.json. */
export type MessageId = keyof MessageValues

/** Messages that take no values, so that their id can be kept in a table of labels. */
export type PlainMessageId = {
  [Id in MessageId]: keyof MessageValues[Id] extends never ? Id : never
}[MessageId]

/** The values of a message; `Rich` is what its tags and texts may be besides strings: markup, or React's elements. */
export type ValuesOf<Id extends MessageId, Rich> = keyof MessageValues[Id] extends never
  ? readonly []
  : readonly [values: { readonly [Name in keyof MessageValues[Id]]: ValueOf<MessageValues[Id][Name], Rich> }]

type ValueOf<Kind, Rich> = Kind extends 'text'
  ? string | number | Rich
  : Kind extends 'number'
    ? number
    : Kind extends 'date'
      ? Date | string | number
      : Kind extends 'tag'
        ? (content: Rich) => Rich
        : // The cases of a select.
          Kind extends readonly (infer Case)[]
          ? Case | ('other' extends Case ? string & {} : never)
          : never

/** A message and its values, put into words where the reader's language is known. */
export interface Message {
  readonly id: MessageId
  readonly values: Values<string>
}

export const message = <Id extends MessageId>(id: Id, ...values: ValuesOf<Id, string>): Message => ({
  id,
  values: (values[0] ?? {}) as Values<string>,
})
