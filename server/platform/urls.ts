/** Every public address of the service is built here. */

export interface Urls {
  readonly base: string
  /** The permanent id of a piece: what feeds, tools and webhooks call it. */
  pieceId(id: string): string
  piece(authorSlug: string, pieceSlug: string): string
  profile(authorSlug: string): string
  badge(authorSlug: string): string
  feedJson(authorSlug: string): string
  feedRss(authorSlug: string): string
  /** Where its writer reads, changes and publishes a piece. */
  editPiece(id: string): string
}

export function urlsFor(baseUrl: string): Urls {
  const base = baseUrl.replace(/\/+$/, '')
  return {
    base,
    pieceId: (id) => `${base}/p/${id}`,
    piece: (authorSlug, pieceSlug) => `${base}/author/${authorSlug}/${pieceSlug}`,
    profile: (authorSlug) => `${base}/author/${authorSlug}`,
    badge: (authorSlug) => `${base}/embed/${authorSlug}/badge.svg`,
    feedJson: (authorSlug) => `${base}/author/${authorSlug}/feed.json`,
    feedRss: (authorSlug) => `${base}/author/${authorSlug}/feed.xml`,
    editPiece: (id) => `${base}/desk/edit/pieces/${id}`,
  }
}
