import { type Calls, parameters } from '../types.generated.ts'
import type { CallOptions, Site } from './config.ts'
import { ofCalls, only } from './options.ts'
import { ask, type Call } from './request.ts'

/** The calls that answer with a page of something. */
type ListCall = { [Name in Call]: Calls[Name]['answer'] extends { next_cursor: unknown } ? Name : never }[Call]

/** What a list takes, beside the term of a search. `limit` is for each page: iterating goes on to the last. */
export type ListOptions<Name extends ListCall> = Omit<Calls[Name]['query'], 'q'> & CallOptions

/** Nothing is asked until something is wanted of it; and each time anew. */
export interface List<Item, Page> extends AsyncIterable<Item> {
  /** One page, as the API answers it: the first, or the one that `next_cursor` of another leads to. */
  page(cursor?: string | null): Promise<Page>
  /** Page after page, for whoever wants to know of each whether a search ended early (`partial`). */
  pages(): AsyncIterable<Page>
  /** The first so many, or fewer if there are no more. */
  take(count: number): Promise<Item[]>
}

export function listOf<Name extends ListCall, Item>(
  site: Site,
  call: Name,
  options: ListOptions<Name>,
  itemsOf: (page: Calls[Name]['answer']) => readonly Item[],
  term: { readonly q?: string } = {},
): List<Item, Calls[Name]['answer']> {
  const names = [...parameters[call].filter((name) => name !== 'q'), ...ofCalls]
  const { signal, cursor: start, ...rest }: CallOptions & { readonly cursor?: string } = only(options, names)
  const page = async (cursor: string | null = null) => {
    const asked = { ...rest, ...term, cursor: cursor ?? start } as Calls[Name]['query']
    return (await ask(site, call, { query: asked, signal })).body
  }
  async function* pages() {
    for (let cursor: string | null | undefined = start; ; ) {
      const one = await page(cursor)
      yield one
      cursor = one.next_cursor
      if (cursor === null) return
    }
  }
  async function* items() {
    for await (const one of pages()) yield* itemsOf(one)
  }
  const take = async (count: number) => {
    const taken: Item[] = []
    if (count > 0) {
      for await (const item of items()) if (taken.push(item) >= count) break
    }
    return taken
  }
  return { page, pages, take, [Symbol.asyncIterator]: items }
}
