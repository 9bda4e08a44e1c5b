import { Author, AuthorHit } from '#features/authors/schema.ts'
import { Piece, PieceHit, PieceListItem } from '#features/pieces/schema.ts'
import { Product, ProductHit } from '#features/products/schema.ts'
import { TrendingItem } from '#features/trending/schema.ts'
import type { Catalogue } from '#platform/mcp/catalogue.ts'
import type { Tool } from '#platform/mcp/tool.ts'
import type { Urls } from '#platform/urls.ts'
import { author, authors } from './author-tools.ts'
import { piece, pieces, recent, trending } from './piece-tools.ts'
import { product, products } from './product-tools.ts'
import { prompts } from './prompts.ts'
import { type Mirror, mirror, type ReadCall } from './read-tool.ts'
import { type Document, resourcesOf, templatesOf } from './resources.ts'

const shapes = [Author, AuthorHit, Piece, PieceHit, PieceListItem, TrendingItem, Product, ProductHit]

const mirrored = <Asked, Body>(one: Mirror<Asked, Body>): Tool<ReadCall> => mirror(one, shapes)

/** In an order that stays: clients keep what they have read of it. */
const tools: readonly Tool<ReadCall>[] = [
  mirrored(authors),
  mirrored(author),
  mirrored(recent),
  mirrored(piece),
  mirrored(pieces),
  mirrored(trending),
  mirrored(products),
  mirrored(product),
]

export const catalogueOf = (urls: Urls, documents: readonly Document[]): Catalogue<ReadCall> => ({
  tools,
  prompts,
  resources: resourcesOf(urls, documents),
  templates: templatesOf(urls),
})
