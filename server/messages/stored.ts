import type { Message } from './message.ts'
import { isMessageId, type Translator } from './translator.ts'

/** A message for a text column: its id and its values, put into words when it is read. */
export const toStored = (message: Message): string => JSON.stringify(message)

/** In the reader's language. What is no message, such as an address or a sentence of an earlier release, stays as it is. */
export function fromStored(stored: string, t: Translator): string {
  const message = stored.startsWith('{"id":') ? (JSON.parse(stored) as Message) : undefined
  return message && isMessageId(message.id) ? t.say(message) : stored
}
