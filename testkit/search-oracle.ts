import type { MatchSite } from '../server/features/pieces/schema.ts'

/** The contract of search, spelled out the slow way: look at every piece, keep those that contain the term, sort. */

export interface OraclePiece {
  readonly id: string
  readonly category: string
  readonly publishedAt: Date
  readonly headline: string
  readonly sub: string
  readonly body: string
}

export interface OracleHit {
  readonly id: string
  readonly site: MatchSite
}

/** Case and white space folded by other means than the product's, so that one's mistake is not the other's. */
export function plainly(text: string): string {
  const visible = text.replace(/[\u00AD\u200B\u202A-\u202E\u2066-\u2069]/gu, '')
  return Array.from(visible.normalize('NFC').split(/\s+/u).filter(Boolean).join(' '))
    .map((character) => (character === 'ς' ? 'σ' : [...character.toLocaleLowerCase('en')][0]!))
    .join('')
}

const known = new WeakMap<OraclePiece, readonly [string, string, string]>()

function plainPiece(piece: OraclePiece): readonly [string, string, string] {
  const plain = known.get(piece) ?? ([plainly(piece.headline), plainly(piece.sub), plainly(piece.body)] as const)
  known.set(piece, plain)
  return plain
}

export function oracle(pieces: readonly OraclePiece[], q: string, category?: string): OracleHit[] {
  const term = plainly(q)
  const siteOf = (piece: OraclePiece): MatchSite | undefined => {
    const [headline, sub, body] = plainPiece(piece)
    if (headline.includes(term)) return 'headline'
    if (sub.includes(term)) return 'standfirst'
    return body.includes(term) ? 'body' : undefined
  }
  const order: readonly MatchSite[] = ['headline', 'standfirst', 'body']
  return pieces
    .filter((piece) => category === undefined || piece.category === category)
    .map((piece) => ({ piece, site: siteOf(piece) }))
    .filter((found): found is { piece: OraclePiece; site: MatchSite } => found.site !== undefined)
    .sort(
      (a, b) =>
        order.indexOf(a.site) - order.indexOf(b.site) ||
        b.piece.publishedAt.getTime() - a.piece.publishedAt.getTime() ||
        (a.piece.id < b.piece.id ? 1 : -1),
    )
    .map(({ piece, site }) => ({ id: piece.id, site }))
}
