import { getAuthor } from '#features/authors/reads.ts'
import { AuthorFound } from '#features/authors/schema.ts'
import { getPiece, recentPieces } from '#features/pieces/reads.ts'
import { PieceFound, PieceList } from '#features/pieces/schema.ts'
import type { Completers } from '#platform/mcp/completion.ts'
import type { Named, Resource, ResourceTemplate } from '#platform/mcp/resources.ts'
import type { Urls } from '#platform/urls.ts'
import { authorSlugs } from './completion.ts'
import type { ReadCall } from './read-tool.ts'

/** A text of the site that another context writes. */
export interface Document extends Named {
  readonly path: string
  readonly mimeType: string
  text(): Promise<string>
}

const json = 'application/json'

/** Addresses that a client could ask itself; here they are answered without a request. */
export function resourcesOf({ base }: Urls, documents: readonly Document[]): Resource<ReadCall>[] {
  const uri = `${base}/api/public/pieces/recent`
  return [
    ...documents.map(({ path, text, ...named }): Resource<ReadCall> => {
      const address = base + path
      return {
        definition: { uri: address, ...named },
        read: async () => ({ uri: address, mimeType: named.mimeType, text: await text() }),
      }
    }),
    {
      definition: {
        uri,
        name: 'recent-pieces',
        title: 'Recent pieces',
        description: 'The newest published pieces.',
        mimeType: json,
      },
      read: async (by) => ({ uri, mimeType: json, text: by.write(PieceList, await recentPieces(by.reads, {})) }),
    },
  ]
}

export function templatesOf({ base }: Urls): ResourceTemplate<ReadCall>[] {
  const template = (
    path: string,
    named: Named,
    completes: Completers<ReadCall>,
    body: (part: string, by: ReadCall) => Promise<string>,
  ): ResourceTemplate<ReadCall> => {
    const [start = ''] = `${base}${path}`.split('{')
    return {
      definition: { uriTemplate: base + path, ...named, mimeType: json },
      completes,
      read(uri, by) {
        const part = uri.startsWith(start) ? uri.slice(start.length) : ''
        if (!/^[A-Za-z0-9-]{1,100}$/.test(part)) return undefined
        return body(part, by).then((text) => ({ uri, mimeType: json, text }))
      },
    }
  }
  return [
    template(
      '/api/public/authors/{slug}',
      { name: 'author', title: 'One author', description: 'A writer, by slug.' },
      { slug: authorSlugs },
      async (slug, by) => by.write(AuthorFound, await getAuthor(by.reads, { slug })),
    ),
    template(
      '/api/public/pieces/{id}',
      { name: 'piece', title: 'One piece', description: 'A published piece with its full body, by UUID.' },
      {},
      async (id, by) => by.write(PieceFound, await getPiece(by.reads, { id })),
    ),
  ]
}
