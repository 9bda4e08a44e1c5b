import type { Translator } from '#messages/translator.ts'
import { type Category, categories } from './schema.ts'

/** A category's name for readers. */
export const categoryLabel = (t: Translator, category: string): string =>
  isCategory(category) ? t(`site.category.${category}`) : category

export const isCategory = (word: string): word is Category => (categories as readonly string[]).includes(word)
