import { posix } from 'node:path'
import { docsPages, docsPath } from '#platform/page/docs-toc.ts'

const byFile = new Map(docsPages.map((page) => [page.file, page]))

/** Where a picture of the docs is served. */
export const picturePath = (file: string): string => `/developers/pictures/${posix.basename(file)}`

/**
 * Links as they stand in the repository, made into those of the site: a page leads to its address, the table of
 * contents to the index, a picture of the docs to where it is served. What is in the repository only is named as code.
 */
export function siteLinks(markdown: string, file: string, base: string): string {
  const linked = (words: string, href: string): string => {
    if (/^(https?:|mailto:|#)/.test(href)) return `[${words}](${href})`
    const [path = '', fragment] = href.split('#')
    const target = posix.join(posix.dirname(file), path)
    if (target === 'docs/README.md') return `[${words}](${base}/developers)`
    const page = byFile.get(target)
    if (!page) return words.includes('`') ? words : `\`${words}\``
    // The name of a file says little to those who see none.
    return `[${words === path ? page.title : words}](${base}${docsPath(page)}${fragment ? `#${fragment}` : ''})`
  }
  return outsideFences(markdown, (prose) =>
    prose.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, isPicture: string, words: string, href: string) => {
      if (!isPicture) return linked(words, href)
      return /^https?:/.test(href) ? whole : `![${words}](${base}${picturePath(href)})`
    }),
  )
}

/** Code stays as it is. */
const outsideFences = (markdown: string, change: (prose: string) => string): string =>
  markdown
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join('')
