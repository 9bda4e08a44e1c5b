/** One of the compared programs, loaded and running. */
export interface Peer {
  readonly name: string
  readonly pid: number
  readonly port: number
  /** The database processes that serve only this program. */
  databasePids(): Promise<readonly number[]>
  /** Its requests by kind of read; a peer may lack some. */
  readonly reads: Readonly<Partial<Record<ReadName, readonly Asked[]>>>
}

export const readNames = ['one post', 'a list of 20', 'search', 'a page'] as const
export type ReadName = (typeof readNames)[number]

export interface Asked {
  readonly path: string
  /** Whether this body is the answer. */
  answeredBy(body: string): boolean
}

/** A post as loaded into every program. */
export interface Post {
  readonly id: string
  readonly slug: string
  readonly title: string
  readonly excerpt: string
  readonly html: string
  readonly text: string
  readonly publishedAt: Date
  readonly author: string
}
export interface PostAuthor {
  readonly id: string
  readonly slug: string
  readonly name: string
}

/** The posts loaded into every program, newest first, and the search words. */
export interface Corpus {
  readonly authors: readonly PostAuthor[]
  readonly posts: readonly Post[]
  readonly words: readonly { readonly word: string; readonly title: string }[]
}

/** Whether the titles are those of the newest twenty, in their order. */
export const areNewest = ({ posts }: Corpus, titles: readonly string[]): boolean =>
  titles.length === Math.min(20, posts.length) && titles.every((title, place) => title === posts[place]?.title)

/** Whether a search found the post its word was taken from, or a full page of others. */
export const found = (title: string, titles: readonly string[]): boolean =>
  titles.length === 20 || titles.includes(title)

/** Whether a page shows the post's title and text. */
export function shows(page: string, post: Post): boolean {
  const start = post.html.slice(post.html.indexOf('<p>'), post.html.indexOf('</p>'))
  return readable(page).includes(readable(post.title)) && readable(page).includes(readable(start))
}

const readable = (html: string): string =>
  html
    .replaceAll(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
