import { longest } from './saving/limits.ts'

interface Added {
  readonly tags: readonly string[]
  /** What could not be added, and why. */
  readonly left: string
  readonly words: string | undefined
}

/** Adds what stands between commas; what is there already, in any letter case, is not added again. */
export function withTags(tags: readonly string[], given: string): Added {
  const next = [...tags]
  const left: string[] = []
  let words: string | undefined
  for (const tag of given.split(',').map((one) => one.trim().replace(/\s+/g, ' '))) {
    if (tag === '' || next.some((one) => one.toLowerCase() === tag.toLowerCase())) continue
    const isLong = [...tag].length > longest.tag
    if (!isLong && next.length < longest.tags) {
      next.push(tag)
      continue
    }
    left.push(tag)
    words = isLong ? `A tag has at most ${longest.tag} characters.` : `There is room for ${longest.tags} tags.`
  }
  return { tags: next, left: left.join(', '), words }
}
