/** One of the programs beside each other, loaded and running. */
export interface Peer {
  readonly name: string
  readonly pid: number
  readonly port: number
  /** The processes of its database that work for it alone. */
  databasePids(): Promise<readonly number[]>
  /** What it is asked; a peer without such a read has none. */
  readonly reads: Readonly<Partial<Record<ReadName, readonly Asked[]>>>
}

export const readNames = ['one post', 'a list of 20', 'search', 'a page'] as const
export type ReadName = (typeof readNames)[number]

export interface Asked {
  readonly path: string
  /** Whether this body is the answer. */
  answeredBy(body: string): boolean
}

/** A post as all of them hold it. */
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

/** The same posts for all, newest first, and what they are searched for. */
export interface Corpus {
  readonly authors: readonly PostAuthor[]
  readonly posts: readonly Post[]
  readonly words: readonly { readonly word: string; readonly title: string }[]
}

/** Whether the titles are those of the newest twenty, in their order. */
export const areNewest = ({ posts }: Corpus, titles: readonly string[]): boolean =>
  titles.length === Math.min(20, posts.length) && titles.every((title, place) => title === posts[place]?.title)

/** Whether a search found the post its word was taken from, or so many others that there was no place for it. */
export const found = (title: string, titles: readonly string[]): boolean =>
  titles.length === 20 || titles.includes(title)

/** Whether a page shows the post: its title as people read it, and its text as it was written. */
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
