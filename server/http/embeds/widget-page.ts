import { type Html, html } from '#platform/html.ts'
import type { Child, Tree } from '../../../embed/source/vnode.ts'
import type { FrameLook } from './widget-options.ts'

/** A widget as a page of its own, to stand in a frame of another site: no script, and nothing but the widget. */

export interface Frame {
  readonly title: string
  readonly canonical?: string
  readonly tree: Tree
  readonly stylesheet: string
  readonly accent: FrameLook['accent']
  readonly theme: string
}

/** Its ground follows the theme, not the reader: a browser paints it opaque wherever the two differ. */
export const framePage = ({ title, canonical, tree, stylesheet, accent, theme }: Frame): string =>
  String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}">
<meta name="robots" content="noindex">
<title>${title}</title>
${canonical && html`<link rel="canonical" href="${canonical}">\n`}<link rel="stylesheet" href="${stylesheet}">
${accent && html`<style>${accent.css}</style>\n`}</head>
<body>
<main>${drawn(tree)}</main>
</body>
</html>
`)

/** Pictures of writers may be anywhere on the web; everything else is ours. */
export const framePolicy = (accent: FrameLook['accent']): string =>
  `default-src 'none'; style-src 'self'${accent ? ` 'sha256-${accent.hash}'` : ''}; img-src https:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors *"

/** As text what embed.js makes of elements. Names of tags and attributes are the widgets' own. */
function drawn([tag, attributes, children]: Tree): Html {
  const named = attributes.flatMap((name, at) => {
    const value = attributes[at + 1]
    return at % 2 === 0 && value !== undefined ? [html` ${name}="${value}"`] : []
  })
  if (tag === 'img') return html`<img${named}>`
  return html`<${tag}${named}>${children.map(child)}</${tag}>`
}

const child = (one: Child): Html | string | undefined | false =>
  Array.isArray(one) ? drawn(one as Tree) : (one as string)
