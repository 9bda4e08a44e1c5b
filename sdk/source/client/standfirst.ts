import { type HouseOptions, houseOf } from './config.ts'
import { draftsOf } from './drafts.ts'
import { authorsOf, piecesOf, productsOf } from './reads.ts'

/** What everybody may read of a house. */
export interface Reader {
  readonly authors: ReturnType<typeof authorsOf>
  readonly pieces: ReturnType<typeof piecesOf>
  readonly products: ReturnType<typeof productsOf>
}

/** And what a writer's key may do. */
export interface Drafter extends Reader {
  readonly drafts: ReturnType<typeof draftsOf>
}

/** A house to read from and, with a writer's key, to draft in. Asks nothing by itself. */
export function standfirst(options: HouseOptions & { readonly key: string }): Drafter
export function standfirst(options: HouseOptions): Reader
export function standfirst(options: HouseOptions): Drafter {
  const house = houseOf(options)
  // There without a key too: then the house says what is missing, and not "undefined is not an object".
  return { authors: authorsOf(house), pieces: piecesOf(house), products: productsOf(house), drafts: draftsOf(house) }
}
