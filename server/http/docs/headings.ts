/** A heading that the page's own contents lead to. */
export interface Section {
  readonly id: string
  readonly words: string
}

/**
 * Gives headings the names that repositories give them, so that `webhooks.md#verify-it` is right there and here, and a
 * link to themselves. The pipeline's own names begin with `s-`: writers' texts need that, ours do not.
 */
export function nameHeadings(html: string): { html: string; sections: Section[] } {
  const nameOf = newNames()
  const names = new Map<string, string>()
  const sections: Section[] = []
  const named = html.replace(
    /<h([1-6]) id="([^"]+)">([\s\S]*?)<\/h\1>/g,
    (_, level: string, former: string, inner: string) => {
      const words = inner.replace(/<[^>]+>/g, '')
      const id = nameOf(plain(words))
      names.set(former, id)
      if (level === '2') sections.push({ id, words: plain(words) })
      return `<h${level} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="Link to ${words}">#</a></h${level}>`
    },
  )
  const led = named.replace(/href="#(s-[^"]+)"/g, (whole, former: string) => {
    const id = names.get(former)
    return id ? `href="#${id}"` : whole
  })
  return { html: led, sections }
}

/** The n-th of the same words has a number from the second on. */
function newNames(): (heading: string) => string {
  const counts = new Map<string, number>()
  return (heading) => {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return count === 0 ? name : `${name}-${count}`
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }
const plain = (words: string): string => words.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
