import { type SiteOptions, siteOf } from './config.ts'
import { draftsOf } from './drafts.ts'
import { authorsOf, piecesOf, productsOf } from './reads.ts'

/** What everybody may read of a site. */
export interface Reader {
  readonly authors: ReturnType<typeof authorsOf>
  readonly pieces: ReturnType<typeof piecesOf>
  readonly products: ReturnType<typeof productsOf>
}

/** And what a writer's key may do. */
export interface Drafter extends Reader {
  readonly drafts: ReturnType<typeof draftsOf>
}

/** A site to read from and, with a writer's key, to draft in. Asks nothing by itself. */
export function standfirst(options: SiteOptions & { readonly key: string }): Drafter
export function standfirst(options: SiteOptions): Reader
export function standfirst(options: SiteOptions): Drafter {
  const site = siteOf(options)
  // There without a key too: then the site says what is missing, and not "undefined is not an object".
  return { authors: authorsOf(site), pieces: piecesOf(site), products: productsOf(site), drafts: draftsOf(site) }
}
