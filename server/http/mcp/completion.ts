import { slugsBeginning } from '#features/authors/completing.ts'
import { categories } from '#features/pieces/schema.ts'
import type { Completer } from '#platform/mcp/completion.ts'
import type { ReadCall } from './read-tool.ts'

/** The protocol lets no more through. */
const most = 100

export const authorSlugs: Completer<ReadCall> = async (begun, { reads }) => {
  const found = await slugsBeginning(reads, begun.toLowerCase(), most + 1)
  const hasMore = found.length > most
  return { values: found.slice(0, most), ...(hasMore ? {} : { total: found.length }), hasMore }
}

export const categoryNames: Completer = async (begun) => {
  const values = categories.filter((category) => category.startsWith(begun.toLowerCase()))
  return { values, total: values.length, hasMore: false }
}
