import { compile } from '../../server/messages/compile.ts'
import { catalogueOf, sourceLanguage } from '../../server/messages/translator.ts'
import { addMessages } from './messages.ts'

/** Imported by tests that run in Node, without Vite: loads the English messages. */
addMessages(
  Object.fromEntries(
    Object.entries(catalogueOf(sourceLanguage))
      .filter(([id]) => id.startsWith('desk.'))
      .map(([id, message]) => [id, compile(message)]),
  ),
)
