import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { painted } from './browser.ts'

/**
 * Text that is cut off, overlaps other text or leaves its box or the window, at each width. The window is resized
 * instead of the page loaded again.
 */
export async function layoutProblems(
  page: Page,
  name: string,
  { widths = [320, 1280], roots = '[]' } = {},
): Promise<string[]> {
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    let problems: string[] = []
    // CodeMirror places what floats beside the text 50 ms after the window has changed: three frames or more.
    for (let look = 0; look < 10; look += 1) {
      await painted(page)
      problems = (await page.evaluate(`(${findProblems})(${roots})`)) as string[]
      if (!problems.length) break
    }
    found.push(...problems.map((problem) => `${name}, ${width} px wide: ${problem}`))
  }
  return found
}

/**
 * The same for a page or dialog as it is, with words half as long again, from left on a wide screen and from right on
 * a narrow one. Restores it.
 */
export async function stretchedProblems(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  const direction = await page.evaluate('document.documentElement.dir')
  await page.evaluate(`(${stretch})()`)
  for (const [dir, width] of [
    ['ltr', 1280],
    ['rtl', 320],
  ] as const) {
    await page.evaluate(`document.documentElement.dir = '${dir}'`)
    found.push(...(await layoutProblems(page, `${name}, stretched`, { widths: [width] })))
  }
  await page.evaluate(`restoreTexts(); document.documentElement.dir = '${direction}'`)
  return found
}

/** Not what can be edited: the editor would take it for typed. */
const stretch = `() => {
  const texts = new Map()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    if (node.parentElement.closest('[contenteditable], textarea, code, pre, script, style')) continue
    texts.set(node, { text: node.data, longer: node.data.replace(/\\p{L}(\\p{L})/gu, (two, second) => two + second) })
  }
  for (const [node, { longer }] of texts) node.data = longer
  globalThis.restoreTexts = () => {
    // What the page has written meanwhile stays: "Saving…" may be "Saved" now.
    for (const [node, { text, longer }] of texts) if (node.data === longer) node.data = text
  }
}`

/**
 * Pixels that text with stacked marks paints outside of its own block: what changes there when that text is
 * made invisible.
 */
export async function strayMarks(page: Page, name: string): Promise<string[]> {
  await page.setViewportSize({ width: 390, height: 800 })
  await painted(page)
  const shot = async () =>
    sharp(await page.screenshot({ fullPage: true }))
      .raw()
      .toBuffer({ resolveWithObject: true })
  /** Two pictures in a row are the same: nothing else is still being drawn. */
  const stillShot = async () => {
    let last = await shot()
    for (let look = 0; look < 20; look += 1) {
      await painted(page)
      const next = await shot()
      if (next.data.equals(last.data)) break
      last = next
    }
    return last
  }
  const before = await stillShot()
  const blocks = (await page.evaluate(`(${hideMarks})()`)) as { name: string; rect: Rect }[]
  const { data, info } = await stillShot()
  assert.ok(blocks.length > 0, `${name} shows stacked marks`)
  const strays = new Set<string>()
  for (let at = 0; at < data.length; at += info.channels) {
    if (data[at] === before.data[at]) continue
    const x = (at / info.channels) % info.width
    const y = Math.floor(at / info.channels / info.width)
    const isInside = ({ rect }: { rect: Rect }) =>
      x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom
    if (!blocks.some(isInside))
      strays.add(`${name}: paints over ${Math.round(x / 50) * 50}, ${Math.round(y / 20) * 20}`)
  }
  return [...strays].slice(0, 12)
}

type Rect = Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>

const hideMarks = `() => {
  const blocks = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    if (!/\\p{M}{5}/u.test(walker.currentNode.data)) continue
    let block = walker.currentNode.parentElement
    block.style.setProperty('color', 'transparent', 'important')
    while (['inline', 'contents'].includes(getComputedStyle(block).display)) block = block.parentElement
    // The text of a piece is one block.
    blocks.add(block.closest('.prose') ?? block)
  }
  return [...blocks].map((block) => {
    const { left, right, top, bottom } = block.getBoundingClientRect()
    const size = parseFloat(getComputedStyle(block).fontSize)
    const rect = { left: left - size, right: right + size, top: top - size / 2 + scrollY, bottom: bottom + size / 2 + scrollY }
    return { name: block.localName, rect }
  })
}`

/** For the browser. `roots` are the closed shadow roots of the page. */
const findProblems = `(roots) => {
  const problems = new Set()
  const { clientWidth: width, scrollWidth } = document.documentElement
  const styles = new Map()
  const styleOf = (element) => styles.get(element) ?? (styles.set(element, getComputedStyle(element)), styles.get(element))
  const parentOf = (element) => element.parentElement ?? element.getRootNode().host
  const ancestors = function* (element) {
    for (let one = element; one && one !== document.documentElement; one = parentOf(one)) yield one
  }
  const nearest = (element, test) => {
    for (const one of ancestors(element)) if (test(one, styleOf(one))) return one
  }
  const nameOf = (element) => {
    const words = element.textContent.trim().replace(/\\s+/g, ' ')
    return element.localName + [...element.classList].map((one) => '.' + one).join('') + ' “' + words.slice(0, 60) + '”'
  }
  if (scrollWidth > width) {
    const outside = [...document.body.querySelectorAll('*')].filter((one) => {
      const { left, right } = one.getBoundingClientRect()
      return left < -1 || right > width + 1
    })
    problems.add('the page needs ' + scrollWidth + ' px, because of ' + outside.slice(0, 4).map(nameOf).join(', '))
  }
  const isFilled = (style) => style.backgroundColor !== 'rgba(0, 0, 0, 0)'
  /** Only for screen readers. */
  const isHidden = (element) =>
    !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
    nearest(element, (one, style) => style.clipPath === 'inset(50%)' || (one.offsetWidth <= 1 && style.overflow === 'hidden'))
  /** What is painted over the page on purpose. */
  const layerOf = (element) =>
    nearest(element, (_, style) =>
      ['fixed', 'sticky'].includes(style.position) || (style.position === 'absolute' && isFilled(style)))
  const isOpen = [...document.querySelectorAll('dialog[open], [role="dialog"]')].at(-1)

  /** The part of a box that its scrolling ancestors show, after a complaint if another one cuts it off. */
  const shown = (element, box, isText) => {
    let { left, right, top, bottom } = box
    const complain = (how) => problems.add(nameOf(element) + ' ' + how)
    for (const one of ancestors(element)) {
      const { overflowX, overflowY, textOverflow, webkitLineClamp, position } = styleOf(one)
      if (one === element && !isText) continue
      if (overflowX !== 'visible' || overflowY !== 'visible') {
        const edge = one.getBoundingClientRect()
        const inner = { left: edge.left + one.clientLeft, top: edge.top + one.clientTop }
        inner.right = inner.left + one.clientWidth
        inner.bottom = inner.top + one.clientHeight
        const hasWhole = nearest(one, (other) => other.title || other.ariaLabel)
        const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll'
        if (scrolls(overflowX)) [left, right] = [Math.max(left, inner.left), Math.min(right, inner.right)]
        else if (left < inner.left - 1 || right > inner.right + 1) {
          if (textOverflow !== 'ellipsis' || !hasWhole) complain('is cut off at the side by ' + nameOf(one))
          return
        }
        if (scrolls(overflowY)) [top, bottom] = [Math.max(top, inner.top), Math.min(bottom, inner.bottom)]
        else if (top < inner.top - 1 || bottom > inner.bottom + 1) {
          // An excerpt ends with an ellipsis after so many lines.
          if (webkitLineClamp === 'none') complain('is cut off by ' + nameOf(one))
          return
        }
        if (left >= right || top >= bottom) return
      }
      if (position === 'fixed') break
    }
    if (left < -1 || right > width + 1) complain('leaves the window: ' + Math.round(left) + ' to ' + Math.round(right))
    return { left, right, top, bottom }
  }

  const texts = []
  for (const root of roots.length > 0 ? roots : [isOpen || document.body]) {
    for (const element of root.querySelectorAll('img, input, button, select, textarea, iframe, video'))
      if (!isHidden(element)) shown(element, element.getBoundingClientRect(), false)
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode
      const element = node.parentElement ?? root.host
      if (!node.data.trim() || element.closest('script, style, noscript, option, textarea, svg') || isHidden(element)) continue
      const size = parseFloat(styleOf(element).fontSize)
      const block = nearest(element, (_, { display }) => !['inline', 'contents', 'ruby', 'ruby-text'].includes(display))
      const box = nearest(element, (one, style) => one !== document.body &&
        (one.localName === 'button' || isFilled(style) || parseFloat(style.borderInlineStartWidth) > 0))
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const { left, right, top, bottom, width, height } of range.getClientRects()) {
        if (width < 1 || height < 1) continue
        // Lines of a headline are set tighter than its font is high: only the middle of a line counts.
        const middle = (top + bottom) / 2
        const rect = shown(element, { left, right, top: middle - size * 0.3, bottom: middle + size * 0.3 }, true)
        if (!rect) continue
        const outer = box?.getBoundingClientRect()
        if (outer && (rect.left < outer.left - 1 || rect.right > outer.right + 1) && styleOf(box).display !== 'inline')
          problems.add(nameOf(element) + ' is wider than its box ' + nameOf(box))
        texts.push({ ...rect, element, block, layer: layerOf(element) })
      }
    }
  }
  const canvas = document.createElement('canvas').getContext('2d')
  for (const field of document.querySelectorAll('input[placeholder], select')) {
    const words = field.placeholder ?? field.selectedOptions[0]?.label ?? ''
    if (isHidden(field) || (isOpen && !isOpen.contains(field))) continue
    const { font, paddingLeft, paddingRight, textOverflow } = styleOf(field)
    if (textOverflow === 'ellipsis') continue
    canvas.font = font
    const space = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    if (canvas.measureText(words).width > space + 1) problems.add(field.localName + ' cuts off “' + words + '”')
  }

  texts.sort((one, other) => one.top - other.top)
  for (const [at, one] of texts.entries()) {
    for (let next = at + 1; next < texts.length && texts[next].top < one.bottom - 1; next++) {
      const other = texts[next]
      const overlap = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      if (one.block === other.block || one.layer !== other.layer || overlap <= 1) continue
      problems.add(nameOf(one.element) + ' overlaps ' + nameOf(other.element))
    }
  }
  return [...problems].slice(0, 12)
}`
