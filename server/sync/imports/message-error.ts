import type { Message, ValuesOf } from '#messages/message.ts'
import { type MessageId, message } from '#messages/message.ts'

/** A problem that is put into words where the language is known: at the terminal or at the desk. */
export class MessageError extends Error {
  readonly said: Message

  constructor(said: Message) {
    super(`${said.id} ${JSON.stringify(said.values)}`)
    this.said = said
  }
}

export const problem = <Id extends MessageId>(id: Id, ...values: ValuesOf<Id, string>): MessageError =>
  new MessageError(message(id, ...values))
