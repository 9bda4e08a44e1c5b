import { longestTag, mostTags } from './piece.ts'

interface Added {
  readonly tags: readonly string[]
  /** Tags that could not be added. */
  readonly left: string
  readonly problem: 'too_long' | 'too_many' | undefined
}

/** Adds comma-separated tags, without duplicates in any letter case. */
export function withTags(tags: readonly string[], given: string): Added {
  const next = [...tags]
  const left: string[] = []
  let problem: Added['problem']
  for (const tag of given.split(',').map((one) => one.trim().replace(/\s+/g, ' '))) {
    if (tag === '' || next.some((one) => one.toLowerCase() === tag.toLowerCase())) continue
    const isLong = [...tag].length > longestTag
    if (!isLong && next.length < mostTags) {
      next.push(tag)
      continue
    }
    left.push(tag)
    problem = isLong ? 'too_long' : 'too_many'
  }
  return { tags: next, left: left.join(', '), problem }
}
