import type { Category } from './queries.ts'

const words: Readonly<Record<Category, string>> = {
  illegal: 'Illegal content',
  spam: 'Spam',
  harassment: 'Harassment or hate',
  copyright: 'Copyright',
  private_information: 'Private information',
  impersonation: 'Impersonation',
  danger: 'Dangerous',
  editorial: 'Not suited to this site',
  other: 'Something else',
}

/** In the order in which moderators are shown them. */
export const categories = Object.entries(words) as [Category, string][]
/** Those that readers report. */
export const reported = categories.filter(([category]) => category !== 'editorial')
export const categoryWord = (category: Category): string => words[category]

export const isCategory = (given: string | null): given is Category => given !== null && Object.hasOwn(words, given)
