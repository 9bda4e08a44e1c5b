export interface VerbForms {
  base: string
  third: string
  past: string
  participle: string
  gerund: string
}

export interface NounForms {
  one: string
  many: string
}

export function splitWords(list: string): string[] {
  return list
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll('_', ' '))
}

export function splitPhrases(list: string): string[] {
  return list
    .split(',')
    .map((phrase) => phrase.trim().replaceAll(/\s+/g, ' '))
    .filter(Boolean)
}

/** From `leaf/leaves` or `book`. */
export function nounForms(entry: string): NounForms {
  const [one = entry, many = plural(one)] = entry.split('/')
  return { one, many }
}

/** From `write/wrote/written`, `prefer+` or `mend`. */
export function verbForms(entry: string): VerbForms {
  const [spelling = entry, past, participle = past] = entry.split('/')
  const base = spelling.replace('+', '')
  const stem = spelling.endsWith('+') || doublesLast(base) ? base + base.at(-1) : base
  const regular = base.endsWith('e') ? `${base}d` : endsInConsonantY(base) ? `${base.slice(0, -1)}ied` : `${stem}ed`
  return { base, third: third(base), past: past ?? regular, participle: participle ?? regular, gerund: gerund(stem) }
}

export function withPrefix(prefix: string, verb: VerbForms): VerbForms {
  return {
    base: prefix + verb.base,
    third: prefix + verb.third,
    past: prefix + verb.past,
    participle: prefix + verb.participle,
    gerund: prefix + verb.gerund,
  }
}

function plural(word: string): string {
  if (endsInConsonantY(word)) return `${word.slice(0, -1)}ies`
  return hisses(word) ? `${word}es` : `${word}s`
}

function third(base: string): string {
  return base.endsWith('o') ? `${base}es` : plural(base)
}

function gerund(stem: string): string {
  if (stem.endsWith('ie')) return `${stem.slice(0, -2)}ying`
  if (stem.endsWith('e') && !/(ee|oe|ye)$/.test(stem)) return `${stem.slice(0, -1)}ing`
  return `${stem}ing`
}

/** Whether English forms an adverb from it: gladly and civically, not tornly or goldenly. */
export function makesAdverb(adjective: string): boolean {
  return /(ful|ous|al|ive|ic|ent|ant|less|able|ible|ish|[rsptz]y)$/.test(adjective)
}

export function adverbOf(adjective: string): string {
  if (endsInConsonantY(adjective) && adjective.length > 3) return `${adjective.slice(0, -1)}ily`
  if (adjective.endsWith('ic') && adjective !== 'public') return `${adjective}ally`
  if (/[^aeiou]le$/.test(adjective)) return `${adjective.slice(0, -1)}y`
  if (adjective.endsWith('ll')) return `${adjective}y`
  return `${adjective}ly`
}

export function makesNess(adjective: string): boolean {
  return adjective.length < 6 || /(ful|less|ish|ous|[^l]y|ive|[aeo]nt)$/.test(adjective)
}

export function nessOf(adjective: string): string {
  return endsInConsonantY(adjective) && adjective.length > 3 ? `${adjective.slice(0, -1)}iness` : `${adjective}ness`
}

export function doerOf(verb: VerbForms): string {
  const { base, gerund } = verb
  if (base.endsWith('e')) return base.endsWith('ate') ? `${base.slice(0, -1)}or` : `${base}r`
  if (endsInConsonantY(base)) return `${base.slice(0, -1)}ier`
  return gerund.slice(0, -3) + (/(ct|it)$/.test(base) ? 'or' : 'er')
}

function endsInConsonantY(word: string): boolean {
  return /[^aeiou]y$/.test(word)
}

function hisses(word: string): boolean {
  return /(s|x|z|ch|sh)$/.test(word)
}

/** One syllable of consonant, vowel, consonant: plan, planned. */
function doublesLast(word: string): boolean {
  return /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(word)
}

const silentH = ['hour', 'hone', 'hono', 'heir']
const soundsLikeYou = ['uni', 'use', 'usu', 'uti', 'eur', 'one', 'onc', 'ukr', 'uto', 'euc']

/** `a ` or `an `, by the sound the next word starts with. */
export function article(next: string): string {
  switch (next.charCodeAt(0) | 32) {
    case 97:
    case 101:
    case 105:
      return next.startsWith('eu') ? 'a ' : 'an '
    case 111:
    case 117:
      return soundsLikeYou.includes(next.slice(0, 3)) && !next.startsWith('unim') && !next.startsWith('unin')
        ? 'a '
        : 'an '
    case 104:
      return silentH.includes(next.slice(0, 4)) ? 'an ' : 'a '
    case 56: // eight, eighty; `| 32` leaves a digit as it is
      return 'an '
    default:
      return 'a '
  }
}

/** The source of one topic. Phrases are separated by commas, words by spaces. */
export interface TopicSource {
  /** The first is the topic's own name. */
  tags: string
  /** Follows "about": pricing a second product. */
  pursuits: string
  /** Singular, with `the`. */
  matters: string
  /** Plural, without an article. */
  crowds: string
  things: string
  masses: string
  people: string
  acts: string
  adjectives: string
}
