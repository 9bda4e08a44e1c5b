/** The kinds of words a sentence asks for where no pair is known: told by their ends, which is right often enough. */
export const classes = ['~', '~s', '~ed', '~ing', '~ly', '~tion', '~er', '~al', '~Name', '#'] as const

export const classCount = classes.length
export const nameClass = classes.indexOf('~Name')
export const numberClass = classes.indexOf('#')

/** What stands in the model as a word of its own. */
export const marks: readonly string[] = ['.', ',', ';', ':', '?', '!', '—']

const ends: readonly [RegExp, number][] = [
  [/^[A-Z]/, nameClass],
  [/ly$/, 4],
  [/.ing$/, 3],
  [/.ed$/, 2],
  [/(?:ion|ment|ness|ity|ism|ance|ence|ship)$/, 5],
  [/(?:ous|ive|ful|less|able|ible|[^aeiou]al|ic|ary)$/, 7],
  [/[^s'iu]s$/, 1],
  [/.(?:er|or)$/, 6],
]

export function classOf(word: string): number {
  if (word === '#') return numberClass
  const mark = marks.indexOf(word)
  if (mark !== -1) return classCount + mark
  if (/^I(?:'|$)/.test(word)) return 0
  return ends.find(([end]) => end.test(word))?.[1] ?? 0
}
