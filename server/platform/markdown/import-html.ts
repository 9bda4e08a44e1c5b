import sanitizeHtml from 'sanitize-html'
import { htmlTree } from './html-tree.ts'
import { foreignBlocks } from './import-blocks.ts'
import { treeAsMarkdown } from './to-markdown.ts'

/** HTML that somebody else's program wrote, as Markdown, and what of it Markdown cannot say. */
export interface Foreign {
  readonly markdown: string
  /** Addresses of pictures, which stay where they are. */
  readonly pictures: readonly string[]
  /** Addresses of players and frames: a link stands in their place. */
  readonly embeds: readonly string[]
  /** The rest, in words: forms, scripts. */
  readonly lost: readonly string[]
}

const kept = (...more: string[]): string[] => ['class', 'id', ...more]

/** Everything but what runs, written so that our own reader of HTML can read it. */
const readable: sanitizeHtml.IOptions = {
  allowedTags: [
    ...'p div section article header footer main aside nav address center span font b strong i em u s del strike ins'.split(
      ' ',
    ),
    ...'mark small sub sup abbr cite q time kbd samp var tt code pre br hr img a ul ol li dl dt dd blockquote'.split(
      ' ',
    ),
    ...'h1 h2 h3 h4 h5 h6 table thead tbody tfoot tr td th caption figure figcaption picture details summary'.split(
      ' ',
    ),
    ...'iframe video audio source embed object form button input select svg math'.split(' '),
  ],
  allowedAttributes: {
    '*': kept(),
    a: kept('href', 'title'),
    img: kept('src', 'alt', 'title'),
    ol: kept('start'),
    object: kept('data'),
    ...Object.fromEntries(['iframe', 'video', 'audio', 'source', 'embed'].map((tag) => [tag, kept('src')])),
  },
  // What is nested deeper than any page is loses its tags and keeps its words.
  nestingLimit: 200,
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'template'],
}

export interface ForeignOptions {
  /** What relative addresses are relative to. */
  readonly base?: string | undefined
  /** Parts that are not text, by their class: buttons to subscribe, rules between a page's sections. */
  readonly without?: readonly string[]
}

export function foreignMarkdown(html: string, { base, without = [] }: ForeignOptions = {}): Foreign {
  const lost = new Set<string>()
  if (/<script\b/i.test(html)) lost.add('a script')
  const [pictures, embeds] = [new Set<string>(), new Set<string>()]
  const tree = foreignBlocks(htmlTree(sanitizeHtml(html, readable)), { base, without, pictures, embeds, lost })
  return { markdown: treeAsMarkdown(tree), pictures: [...pictures], embeds: [...embeds], lost: [...lost] }
}
