import { getAuthor } from '#features/authors/reads.ts'
import { Author, AuthorFound, AuthorHit } from '#features/authors/schema.ts'
import { slugsWithPrefix } from '#features/authors/writers.ts'
import { getPiece, recentPieces } from '#features/pieces/reads.ts'
import { categories, Piece, PieceFound, PieceHit, PieceList, PieceListItem } from '#features/pieces/schema.ts'
import { Product, ProductHit } from '#features/products/schema.ts'
import { TrendingItem } from '#features/trending/schema.ts'
import type { Urls } from '#features/urls.ts'
import type {
  Catalogue,
  Completer,
  Completers,
  Named,
  Prompt,
  Resource,
  ResourceTemplate,
} from '#platform/mcp/catalogue.ts'
import type { Tool } from '#platform/mcp/tool.ts'
import {
  author,
  authors,
  createReadTool,
  piece,
  pieces,
  product,
  products,
  type ReadCall,
  type ReadTool,
  recent,
  trending,
} from './tools.ts'

const shapes = [Author, AuthorHit, Piece, PieceHit, PieceListItem, TrendingItem, Product, ProductHit]

const readTool = <Asked, Body>(one: ReadTool<Asked, Body>): Tool<ReadCall> => createReadTool(one, shapes)

/** In a stable order, since clients cache it. */
const tools: readonly Tool<ReadCall>[] = [
  readTool(authors),
  readTool(author),
  readTool(recent),
  readTool(piece),
  readTool(pieces),
  readTool(trending),
  readTool(products),
  readTool(product),
]

export const catalogueOf = (urls: Urls, documents: readonly SiteDocument[]): Catalogue<ReadCall> => ({
  tools,
  prompts,
  resources: resourcesOf(urls, documents),
  templates: templatesOf(urls),
})

/** The protocol's limit. */
const maxCompletions = 100

const authorSlugs: Completer<ReadCall> = async (begun, { reads }) => {
  const found = await slugsWithPrefix(reads, begun.toLowerCase(), maxCompletions + 1)
  const hasMore = found.length > maxCompletions
  return { values: found.slice(0, maxCompletions), ...(hasMore ? {} : { total: found.length }), hasMore }
}

const categoryNames: Completer = async (begun) => {
  const values = categories.filter((category) => category.startsWith(begun.toLowerCase()))
  return { values, total: values.length, hasMore: false }
}

/** A text document of the site that another surface writes. */
export interface SiteDocument extends Named {
  readonly path: string
  readonly mimeType: string
  text(): Promise<string>
}

const json = 'application/json'

/** Addresses a client could also request itself, answered here without a second request. */
function resourcesOf({ base }: Urls, documents: readonly SiteDocument[]): Resource<ReadCall>[] {
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

function templatesOf({ base }: Urls): ResourceTemplate<ReadCall>[] {
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

const userMessage = (text: string) => [{ role: 'user', content: { type: 'text', text } }]

const prompts: readonly Prompt<ReadCall>[] = [
  {
    definition: {
      name: 'author_brief',
      title: 'Brief on a writer',
      description: 'Who a writer is and what they write about, on half a page, with sources.',
      arguments: [{ name: 'slug', description: 'Author slug, as search_authors returns it.', required: true }],
    },
    completes: { slug: authorSlugs },
    messages: ({ slug = '' }) =>
      userMessage(
        `Write a brief of half a page on the writer with the slug ${JSON.stringify(slug)}. Call get_author with it; if there is no such writer, call search_authors and ask me whom I mean. Then call search_pieces with words of their niche, read two or three of their own pieces with get_piece (format "text"), and say what they care about and how they write. Quote sparingly, and give the url of everything you use.`,
      ),
  },
  {
    definition: {
      name: 'reading_list',
      title: 'Reading list',
      description: 'Five pieces on a topic, in the order in which to read them.',
      arguments: [
        { name: 'topic', description: 'A word or two that would occur in the pieces.', required: true },
        { name: 'category', description: `One of ${categories.join(', ')}; all of them if left out.`, required: false },
      ],
    },
    completes: { category: categoryNames },
    messages: ({ topic = '', category = '' }) =>
      userMessage(
        `Make a reading list on ${JSON.stringify(topic)}. Call search_pieces with it${category ? ` and the category ${JSON.stringify(category)}` : ''}; if little is found, try shorter or other words for the same thing. Choose five pieces by different writers where you can, put them in the order in which to read them, and give title, writer, url and one sentence on why for each.`,
      ),
  },
]
