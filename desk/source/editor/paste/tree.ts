/** What a pasted tree says beyond its names: styles that stand for marks, and what nobody was meant to see. */

export const nameOf = (node: Node): string => node.nodeName.toLowerCase()
export const isElement = (node: Node): node is Element => node.nodeType === 1
export const isText = (node: Node): boolean => node.nodeType === 3

/** One declaration of what was the style attribute. Word's own (mso-…) are unknown to the browser, so it is read as text. */
export function styleOf(element: Element, property: string): string {
  const style = element.getAttribute('data-look') ?? ''
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon !== -1 && declaration.slice(0, colon).trim().toLowerCase() === property) {
      return declaration.slice(colon + 1).trim()
    }
  }
  return ''
}

const silent = new Set(
  'script style meta link title head template noscript svg math button select textarea iframe object audio video canvas map col colgroup base o:p v:shape xml'.split(
    ' ',
  ),
)

export function isHidden(node: Node): boolean {
  if (!isElement(node)) return !isText(node)
  return (
    silent.has(nameOf(node)) ||
    node.hasAttribute('hidden') ||
    styleOf(node, 'display') === 'none' ||
    styleOf(node, 'mso-hide') === 'all' ||
    // Word's own bullets and numbers: the list says them.
    /^ignore$/i.test(styleOf(node, 'mso-list'))
  )
}

const blocks = new Set(
  'html body address article aside blockquote center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)

export const isBlock = (node: Node): boolean => isElement(node) && blocks.has(nameOf(node))

export const holdsBlocks = (node: Node): boolean =>
  [...node.childNodes].some((child) => !isHidden(child) && (isBlock(child) || holdsBlocks(child)))
