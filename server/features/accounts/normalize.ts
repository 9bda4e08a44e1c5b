import { searchTextOf } from '#features/authors/writers.ts'
import { invalid } from '#platform/errors.ts'
import { normaliseLine } from '#platform/text/normalise.ts'
import { slugFrom } from '#platform/text/slug.ts'

/** Email addresses that differ only in case are the same. */
export const readEmail = (input: string): string => input.trim().toLowerCase()

const longestName = 80
/** Check marks and lookalikes, blue badges included: only the site marks verified writers. */
const ticks =
  /[\u2713\u2714\u2705\u2611\u{1F5F8}\u{1F5F9}\u237B\u221A\u{10102}\u{1FBB1}\u{1F535}\u{1F537}\u{1F539}\u{1F4A0}]/u

export function readName(input: string): string {
  const name = normaliseLine(input)
  const pointer = '/name'
  if (!/[\p{L}\p{N}]/u.test(name))
    throw invalid([{ pointer, code: 'empty', detail: 'must have at least one letter or digit' }])
  if ([...name].length > longestName) {
    const detail = `must have at most ${longestName} characters`
    throw invalid([{ pointer, code: 'too_long', detail, limit: longestName, actual: [...name].length }])
  }
  if (ticks.test(name)) {
    throw invalid([
      { pointer, code: 'contains_tick', detail: 'must not contain a check mark; only the site adds those' },
    ])
  }
  return name
}

/** Of 40 characters; the rest is for a suffix such as "-2" if the slug is taken. */
const longestSlug = 34

/** Slug and search text of a new writer. The database makes the slug unique. */
export const writerNamed = (name: string) => ({
  slug: slugFrom(name, longestSlug, 'writer'),
  searchText: searchTextOf({ name, niche: null, role: null, bio: null }),
})
