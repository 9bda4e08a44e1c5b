import { piecesOf, tellUnknown, writerOf } from './data.ts'
import { match } from './language.ts'
import {
  all,
  append,
  attachShadow,
  attribute,
  create,
  createText,
  currentScript,
  drop,
  fill,
  isConnected,
  keep,
  kept,
  later,
  listen,
  Observer,
  observe,
  page,
  remove,
  replaceChildren,
  Sheet,
  setAttribute,
  sheetsOf,
  sourceOf,
} from './page.ts'
import type { Child, Tree } from './vnode.ts'
import { badge, bio, card, type ListedPiece, type Look, list, type Writer } from './widgets.ts'

/** Finds `data-service-widget` in a page, now and whenever the page changes, and draws what it asks for. */

/** style.css, put here by the build. */
declare const css: string

const most = 50
const pause = 50
const marker = 'data-service-widget'
const names = [marker, 'data-slug', 'data-theme', 'data-limit', 'data-tone', 'data-accent', 'data-target']

/** What an element asks for, as it stands in its attributes: drawn again only when that changes. */
const wishes = new WeakMap<object, string>()
const roots = new WeakMap<object, ShadowRoot>()

function start(base: string): void {
  let waiting = false
  const scan = (): void => {
    waiting = false
    const found = all(page, `[${marker}]`)
    for (let at = 0; at < found.length && at < most; at += 1) {
      try {
        tend(base, found[at]!)
      } catch {
        // The page took away what we stand on; its own words stay.
      }
    }
  }
  const observer = new Observer(() => {
    if (!waiting) later(scan, pause)
    waiting = true
  })
  observe(observer, page, { childList: true, subtree: true, attributeFilter: names })
  scan()
}

function tend(base: string, element: Element): void {
  let wish = ''
  for (let at = 0; at < names.length; at += 1) wish += `${attribute(element, names[at]!)}\0`
  if (kept(wishes, element) === wish) return
  keep(wishes, element, wish)

  const given = (name: string, pattern: RegExp): string | undefined =>
    match(pattern, attribute(element, `data-${name}`))
  const look: Look = {
    base,
    theme: given('theme', /^(?:dark|auto)$/) ?? 'light',
    tone: given('tone', /^verified$/) ?? '',
    target: given('target', /^_(?:blank|self|parent|top)$/),
  }
  const accent = given('accent', /^#[0-9a-f]{6}$/i)
  const limit = +(given('limit', /^(?:[1-9]|1\d|20)$/) ?? 5)
  const slug = given('slug', /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/)
  const kind = attribute(element, marker)

  const draw = (tree: Tree): void => {
    if (kept(wishes, element) !== wish) return
    // Gone in the meantime: should it come back, it is drawn then.
    if (isConnected(element)) show(element, elementOf(tree), accent)
    else drop(wishes, element)
  }
  const giveUp = (): void => {
    const root = kept(roots, element)
    if (root && kept(wishes, element) === wish) replaceChildren(root, create(page, html, 'slot'))
  }
  const drawn = (make: (look: Look, writer: Writer) => Tree): void =>
    writerOf(base, slug!, (writer) => draw(make(look, writer)), giveUp)

  if (!slug) {
    giveUp()
    tellUnknown(base, attribute(element, 'data-slug') ?? '')
  } else if (kind === 'badge') drawn(badge)
  else if (kind === 'card') drawn(card)
  else if (kind === 'bio') drawn(bio)
  else if (kind === 'list') {
    const use = (writer: Writer, pieces: readonly ListedPiece[]) => draw(list(look, writer, pieces, limit))
    piecesOf(base, slug, use, giveUp)
  } else giveUp()
}

/** In a closed root, out of reach of the page's style; what the element held is hidden by it, and shown again without. */
function show(element: Element, content: Element, accent: string | undefined): void {
  let root = kept(roots, element)
  if (!root) {
    root = attachShadow(element, { mode: 'closed' })
    keep(roots, element, root)
    sheetsOf(root)[0] = new Sheet()
  }
  fill(sheetsOf(root)[0]!, css + (accent ? `.w{--accent:${accent}}` : ''))
  replaceChildren(root, content)
}

const html = 'http://www.w3.org/1999/xhtml'
const svg = 'http://www.w3.org/2000/svg'

function elementOf(tree: Tree, space = html): Element {
  const tag = tree[0]
  const inner = tag === 'svg' ? svg : space
  const element = create(page, inner, tag)
  const attributes = tree[1]
  for (let at = 0; at < attributes.length; at += 2) {
    const value = attributes[at + 1]
    if (value !== undefined) setAttribute(element, attributes[at]!, value)
  }
  // A picture that the page's policy does not let through, or that is gone, leaves no hole.
  if (tag === 'img') listen(element, 'error', () => remove(element))
  const children: readonly Child[] = tree[2]
  for (let at = 0; at < children.length; at += 1) {
    const child = children[at]
    if (typeof child === 'string') append(element, createText(page, child))
    else if (child) append(element, elementOf(child, inner))
  }
  return element
}

/** The site is where the script came from, asked of the element itself: a `name=currentScript` in the markup is not it. */
const script = currentScript(page)
const base = match(/^(https?:\/\/.+?)\/embed(?:\/[^/?#]+)?\.js(?:[?#]|$)/, script && sourceOf(script))
const sign = Symbol.for(`embed ${base}`)
if (base && !Object.hasOwn(window, sign)) {
  Object.defineProperty(window, sign, { __proto__: null, value: true } as PropertyDescriptor)
  start(base)
}
