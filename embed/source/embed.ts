import { piecesOf, warnUnknownWriter, writerOf } from './data.ts'
import { match } from './language.ts'
import {
  all,
  append,
  attachShadow,
  attribute,
  create,
  createText,
  currentScript,
  isConnected,
  listen,
  Observer,
  observe,
  page,
  remove,
  replaceChildren,
  replaceSheet,
  Sheet,
  setAttribute,
  sheetsOf,
  sourceOf,
  startTimer,
  weakDelete,
  weakGet,
  weakSet,
} from './page.ts'
import {
  badge,
  bio,
  type Child,
  card,
  type ListedPiece,
  list,
  type VNode,
  type WidgetOptions,
  type Words,
  type Writer,
} from './widgets.ts'

/** Finds `data-service-widget` elements, now and whenever the page changes, and draws the widget each one asks for. */

/** style.css, inserted by the build. */
declare const css: string
/** The first line of the built script. */
declare const words: Words

const maxWidgets = 50
const scanDelay = 50
const marker = 'data-service-widget'
const names = [marker, 'data-slug', 'data-theme', 'data-limit', 'data-tone', 'data-accent', 'data-target']

/** The attribute values each element was last drawn for; it is redrawn only when they change. */
const drawnFor = new WeakMap<object, string>()
const roots = new WeakMap<object, ShadowRoot>()

function start(base: string): void {
  let waiting = false
  const scan = (): void => {
    waiting = false
    const found = all(page, `[${marker}]`)
    for (let at = 0; at < found.length && at < maxWidgets; at += 1) {
      try {
        updateWidget(base, found[at]!)
      } catch {
        // The page removed something we depend on; its own content stays.
      }
    }
  }
  const observer = new Observer(() => {
    if (!waiting) startTimer(scan, scanDelay)
    waiting = true
  })
  observe(observer, page, { childList: true, subtree: true, attributeFilter: names })
  scan()
}

function updateWidget(base: string, element: Element): void {
  let wish = ''
  for (let at = 0; at < names.length; at += 1) wish += `${attribute(element, names[at]!)}\0`
  if (weakGet(drawnFor, element) === wish) return
  weakSet(drawnFor, element, wish)

  const given = (name: string, pattern: RegExp): string | undefined =>
    match(pattern, attribute(element, `data-${name}`))
  const look: WidgetOptions = {
    words,
    base,
    theme: given('theme', /^(?:dark|auto)$/) ?? 'light',
    tone: given('tone', /^verified$/) ?? '',
    target: given('target', /^_(?:blank|self|parent|top)$/),
  }
  const accent = given('accent', /^#[0-9a-f]{6}$/i)
  const limit = +(given('limit', /^(?:[1-9]|1\d|20)$/) ?? 5)
  const slug = given('slug', /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/)
  const kind = attribute(element, marker)

  const draw = (tree: VNode): void => {
    if (weakGet(drawnFor, element) !== wish) return
    // Removed in the meantime. If it comes back it is drawn then.
    if (isConnected(element)) show(element, elementOf(tree), accent)
    else weakDelete(drawnFor, element)
  }
  const showFallback = (): void => {
    const root = weakGet(roots, element)
    if (root && weakGet(drawnFor, element) === wish) replaceChildren(root, create(page, html, 'slot'))
  }
  const drawn = (make: (look: WidgetOptions, writer: Writer) => VNode): void =>
    writerOf(base, slug!, (writer) => draw(make(look, writer)), showFallback)

  if (!slug) {
    showFallback()
    warnUnknownWriter(base, attribute(element, 'data-slug') ?? '')
  } else if (kind === 'badge') drawn(badge)
  else if (kind === 'card') drawn(card)
  else if (kind === 'bio') drawn(bio)
  else if (kind === 'list') {
    const use = (writer: Writer, pieces: readonly ListedPiece[]) => draw(list(look, writer, pieces, limit))
    piecesOf(base, slug, use, showFallback)
  } else showFallback()
}

/** Draws into a closed shadow root, out of reach of the page's styles. The root hides the element's own content. */
function show(element: Element, content: Element, accent: string | undefined): void {
  let root = weakGet(roots, element)
  if (!root) {
    root = attachShadow(element, { mode: 'closed' })
    weakSet(roots, element, root)
    sheetsOf(root)[0] = new Sheet()
  }
  replaceSheet(sheetsOf(root)[0]!, css + (accent ? `.w{--accent:${accent}}` : ''))
  replaceChildren(root, content)
}

const html = 'http://www.w3.org/1999/xhtml'
const svg = 'http://www.w3.org/2000/svg'

function elementOf(tree: VNode, space = html): Element {
  const tag = tree[0]
  const inner = tag === 'svg' ? svg : space
  const element = create(page, inner, tag)
  const attributes = tree[1]
  for (let at = 0; at < attributes.length; at += 2) {
    const value = attributes[at + 1]
    if (value !== undefined) setAttribute(element, attributes[at]!, value)
  }
  // An image that is blocked by the page's policy or missing is removed, so it leaves no gap.
  if (tag === 'img') listen(element, 'error', () => remove(element))
  const children: readonly Child[] = tree[2]
  for (let at = 0; at < children.length; at += 1) {
    const child = children[at]
    if (typeof child === 'string') append(element, createText(page, child))
    else if (child) append(element, elementOf(child, inner))
  }
  return element
}

/**
 * The site is the origin of this script, read from the element itself: markup with `name=currentScript` cannot fake it.
 */
const script = currentScript(page)
const base = match(/^(https?:\/\/.+?)\/embed(?:\/[^/?#]+)?\.js(?:[?#]|$)/, script && sourceOf(script))
const sign = Symbol.for(`embed ${base}`)
if (base && !Object.hasOwn(window, sign)) {
  Object.defineProperty(window, sign, { __proto__: null, value: true } as PropertyDescriptor)
  start(base)
}
