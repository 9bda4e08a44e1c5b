import { getAuthor } from '#features/authors/reads.ts'
import { AuthorFound } from '#features/authors/schema.ts'
import { getPiece, recentPieces } from '#features/pieces/reads.ts'
import { PieceFound, PieceList } from '#features/pieces/schema.ts'
import { ServiceError } from '#platform/errors.ts'
import type { Urls } from '#platform/urls.ts'
import { authorSlugs, type Completers } from './completion.ts'
import { codes, type Params, RpcError } from './envelope.ts'
import type { Call } from './tool.ts'

interface Named {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
}

type Contents = { readonly uri: string; readonly mimeType?: string } & (
  | { readonly text: string }
  | { readonly blob: string }
)

export interface Resource {
  readonly definition: Named & { readonly uri: string }
  read(by: Call): Promise<Contents>
}

export interface ResourceTemplate {
  readonly definition: Named & { readonly uriTemplate: string }
  readonly completes: Completers
  /** Nothing where the address is not of this template. */
  read(uri: string, by: Call): Promise<Contents> | undefined
}

/** A text of the house that another door writes. */
export interface Document extends Named {
  readonly path: string
  readonly mimeType: string
  text(): Promise<string>
}

const json = 'application/json'

/** Addresses that a client could ask itself; here they are answered without a request. */
export function resourcesOf({ base }: Urls, documents: readonly Document[]): Resource[] {
  const uri = `${base}/api/public/pieces/recent`
  return [
    ...documents.map(({ path, text, ...named }): Resource => {
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

export function templatesOf({ base }: Urls): ResourceTemplate[] {
  const template = (
    path: string,
    named: Named,
    completes: Completers,
    body: (part: string, by: Call) => Promise<string>,
  ): ResourceTemplate => {
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

/** Only what is listed, and what a template names: nothing is ever fetched. */
export async function readResource(
  { uri }: Params,
  { resources, templates }: { resources: readonly Resource[]; templates: readonly ResourceTemplate[] },
  by: Call,
  notFoundCode: number = codes.resource,
) {
  if (typeof uri !== 'string') throw new RpcError(codes.params, 'Invalid params: uri must be a string')
  const missing = () => new RpcError(notFoundCode, 'Resource not found', { uri: uri.slice(0, 2000).toWellFormed() })
  try {
    for (const resource of resources)
      if (resource.definition.uri === uri) return { contents: [await resource.read(by)] }
    for (const template of templates) {
      const contents = await template.read(uri, by)
      if (contents) return { contents: [contents] }
    }
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) throw missing()
    throw error
  }
  throw missing()
}
