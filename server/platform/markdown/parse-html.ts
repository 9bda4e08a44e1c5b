import { Parser } from 'htmlparser2'
import { element, type Node } from './html-tree.ts'

/** Parses HTML and XML of other programs, however broken, in Node and in browsers. Nothing in it runs or is loaded. */

/** Their content is not text. */
const withoutText = new Set(['script', 'style', 'textarea', 'option', 'noscript', 'template', 'head', 'title'])
/** Elements nested deeper than on any real page lose their tags and keep their text. */
const deepest = 200
const addresses = ['href', 'src', 'data']

/** Elements in `withoutText` are there without their content, and addresses only if a page may link to them. */
export function parseHtml(html: string): Node[] {
  return treeOf(html, false, (tag, attributes) => {
    for (const name of addresses) if (hasForeignScheme(attributes[name])) delete attributes[name]
    const gist = tag === 'script' ? gistAddress.exec(attributes['src'] ?? '')?.[1] : undefined
    return gist === undefined ? [tag, attributes] : ['iframe', { src: `https://${gist}` }]
  })
}

/** GitHub's script that writes a Gist into the page. */
const gistAddress = /^(?:https?:)?\/\/(gist\.github\.com\/[\w-]{1,60}\/[\da-f]{5,64})(?:\.js)?(?:\?|$)/i

const hasForeignScheme = (address = ''): boolean => {
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(address.replace(/[\u0000-\u0020\u007f-\u00a0]/g, ''))?.[1]
  return scheme !== undefined && !/^(?:https?|mailto|tel)$/i.test(scheme)
}

export class DoctypeError extends Error {}

/** Names keep their prefix and case. A document type is refused: it could declare entities. */
export const parseXml = (xml: string): Node[] => treeOf(xml, true, (tag, attributes) => [tag, attributes])

type Attributes = Record<string, string>

function treeOf(
  text: string,
  xmlMode: boolean,
  elementOf: (tag: string, attributes: Attributes) => [tag: string, attributes: Attributes],
): Node[] {
  const root: Node[] = []
  /** The children of each open element; undefined where they are left out. */
  const open: (Node[] | undefined)[] = [root]
  const parser = new Parser(
    {
      onopentag(name, given) {
        const siblings = open.at(-1)
        if (siblings === undefined || open.length > deepest) return open.push(siblings)
        const [tag, attributes] = elementOf(name, { ...given })
        const children: Node[] = []
        siblings.push(element(tag, children, attributes))
        return open.push(!xmlMode && withoutText.has(name) ? undefined : children)
      },
      ontext(data) {
        const siblings = open.at(-1)
        const last = siblings?.at(-1)
        // Text comes in parts, cut at each entity.
        if (typeof last === 'string') siblings![siblings!.length - 1] = last + data
        else siblings?.push(data)
      },
      onclosetag: () => open.pop(),
      onprocessinginstruction(name) {
        if (xmlMode && /^!doctype$/i.test(name)) throw new DoctypeError()
      },
    },
    { xmlMode },
  )
  parser.end(text)
  return root
}
