import { type ConvertedHtml, convertTree, type HtmlImportOptions } from './foreign-html.ts'
import type { Node } from './html-tree.ts'
import { withFootnotes } from './import-footnotes.ts'
import { parseHtml } from './parse-html.ts'

/** HTML of an export as Markdown. */
export const htmlToMarkdown = (html: string, options: HtmlImportOptions = {}): ConvertedHtml =>
  treeToMarkdown(parseHtml(html), options)

export const treeToMarkdown = (tree: readonly Node[], options: HtmlImportOptions = {}): ConvertedHtml =>
  convertTree(withFootnotes(tree), options)
