import sanitizeHtml from 'sanitize-html'
import { message } from '#messages/message.ts'
import { type ConvertedHtml, convertTree, type HtmlImportOptions } from './foreign-html.ts'
import { htmlTree } from './html-tree.ts'

const kept = (...more: string[]): string[] => ['class', 'id', ...more]

/** Everything except what executes, in a form that `htmlTree` can parse. */
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
  // Elements nested deeper than on any real page lose their tags and keep their text.
  nestingLimit: 200,
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'template'],
}

/** HTML of an export as Markdown. */
export function htmlToMarkdown(html: string, options: HtmlImportOptions = {}): ConvertedHtml {
  const converted = convertTree(htmlTree(sanitizeHtml(html, readable)), options)
  return /<script\b/i.test(html)
    ? { ...converted, lost: [message('cli.import.lost_script'), ...converted.lost] }
    : converted
}
