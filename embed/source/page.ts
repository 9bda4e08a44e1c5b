import { uncurried } from './language.ts'

/**
 * References to DOM built-ins, taken before the page's scripts can replace them. Named elements (`id=fetch`,
 * `name=body`) do not shadow them either.
 */

const getter = <Self, Value>(prototype: object, name: string) =>
  uncurried<Self, [], Value>(Object.getOwnPropertyDescriptor(prototype, name)!.get as (this: Self) => Value)

export const page = document
export const startTimer = setTimeout
export const { warn } = console
export const fetchUrl = fetch
export const Observer = MutationObserver
export const Sheet = CSSStyleSheet
export const now = uncurried<Performance, [], number>(Performance.prototype.now)
export const clock = performance
export const timeOut = AbortSignal.timeout

export const currentScript = getter<Document, Element | null>(Document.prototype, 'currentScript')
export const sourceOf = getter<Element, string>(HTMLScriptElement.prototype, 'src')
export const all = uncurried<Document, [string], NodeListOf<Element>>(Document.prototype.querySelectorAll)
export const create = uncurried<Document, [string | null, string], Element>(
  Document.prototype.createElementNS as (this: Document, space: string | null, tag: string) => Element,
)
export const createText = uncurried<Document, [string], Text>(Document.prototype.createTextNode)
export const attribute = uncurried<Element, [string], string | null>(Element.prototype.getAttribute)
export const setAttribute = uncurried<Element, [string, string], void>(Element.prototype.setAttribute)
export const remove = uncurried<Element, [], void>(Element.prototype.remove)
export const attachShadow = uncurried<Element, [ShadowRootInit], ShadowRoot>(Element.prototype.attachShadow)
export const append = uncurried<Node, [Node], Node>(Node.prototype.appendChild as (this: Node, child: Node) => Node)
export const isConnected = getter<Node, boolean>(Node.prototype, 'isConnected')
export const replaceChildren = uncurried<DocumentFragment, [Node], void>(DocumentFragment.prototype.replaceChildren)
export const sheetsOf = getter<ShadowRoot, CSSStyleSheet[]>(ShadowRoot.prototype, 'adoptedStyleSheets')
export const replaceSheet = uncurried<CSSStyleSheet, [string], void>(CSSStyleSheet.prototype.replaceSync)
export const listen = uncurried<EventTarget, [string, () => void], void>(
  EventTarget.prototype.addEventListener as (this: EventTarget, type: string, listener: () => void) => void,
)
export const observe = uncurried<MutationObserver, [Node, MutationObserverInit], void>(
  MutationObserver.prototype.observe,
)
export const onSettled = uncurried<Promise<unknown>, [(value: never) => unknown, (() => unknown)?], Promise<unknown>>(
  Promise.prototype.then as never,
)
export const statusOf = getter<Response, number>(Response.prototype, 'status')
export const isOk = getter<Response, boolean>(Response.prototype, 'ok')
export const json = uncurried<Response, [], Promise<unknown>>(Response.prototype.json)

const { get, set, delete: forget } = WeakMap.prototype
export const weakGet = uncurried(get) as <Value>(map: WeakMap<object, Value>, key: object) => Value | undefined
export const weakSet = uncurried(set) as <Value>(map: WeakMap<object, Value>, key: object, value: Value) => unknown
export const weakDelete = uncurried(forget) as (map: WeakMap<object, unknown>, key: object) => boolean
