import type { MarkdownIt } from 'markdown-it'

type LinkifyIt = MarkdownIt['linkify']

/**
 * Bare addresses become links: those that begin with `http://`, `https://` or `www.`, without the punctuation and marks
 * after them. Never in code or in a link. A host without `www.` is a word: `Node.js`, `etc.So`.
 */
export function addresses(markdown: MarkdownIt): void {
  const { linkify } = markdown
  linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false, urlAuth: false, maxLength: longestAddress })
  for (const schema of ['ftp:', '//', 'mailto:']) linkify.add(schema, null)
  const web = { validate: lengthOf((re) => re.get_http_validator()) }
  linkify.add('http:', web).add('https:', web)
  linkify.add('www.', {
    validate: lengthOf((re) => re.get_relative_proto_validator()),
    // As on GitHub: browsers try https first.
    normalize: (match) => {
      match.url = `http://${match.url}`
    },
  })
  // Where a scheme is, the address was found while parsing; a second search of every paragraph would double the time.
  const test = linkify.test.bind(linkify)
  linkify.test = (text) => /www\./i.test(text) && test(text)
}

/** As long as browsers and servers take. */
const longestAddress = 2_000

/** The length of an address from `at` on, after its scheme; 0 for none. */
const lengthOf =
  (pattern: (re: LinkifyIt['re']) => RegExp) =>
  (text: string, at: number, { re }: LinkifyIt): number => {
    const address = pattern(re)
    address.lastIndex = at
    const found = address.exec(text)?.[0]
    if (found === undefined) return 0
    // What looks like the host would be a user name: `https://bank.example:x@evil.example`.
    if (/^(?::[^\s/@]{0,100})?@/.test(text.slice(at + found.length, at + found.length + 102))) return 0
    return found.replace(/[*_~:.,;!?]+$/, '').length
  }
