import { languages } from 'virtual:messages'
import { addMessages, setLanguage } from './messages.ts'

/** What this language has for each part of the desk, by name; `common` is in the first load. */
let groups: Readonly<Record<string, () => Promise<MessagesModule>>> = {}

/** Loads the language of the document, as the server chose it, before anything is shown. */
export async function loadLanguage(language = document.documentElement.lang): Promise<void> {
  const loaded = await (languages[language] ?? languages['en']!)()
  setLanguage(loaded.locale)
  addMessages(loaded.common)
  groups = loaded.groups
}

/** Loads the messages of one part of the desk. */
export async function loadMessages(group: string): Promise<void> {
  const load = groups[group]
  if (load) addMessages((await load()).messages)
}

type MessagesModule = Awaited<ReturnType<import('virtual:messages').LanguageModule['groups'][string]>>
