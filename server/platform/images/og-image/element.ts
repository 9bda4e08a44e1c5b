import type { Palette } from './palette.ts'

/** Boxes, as the layout engine takes them. */
export interface Element {
  readonly type: string
  readonly props: Readonly<Record<string, unknown>>
}
type Style = Readonly<Record<string, string | number>>
type Child = Element | string | null

export const row = (style: Style, ...children: Child[]): Element => ({
  type: 'div',
  props: { style: { display: 'flex', ...style }, children: children.filter((child) => child !== null) },
})

export const column = (style: Style, ...children: Child[]): Element =>
  row({ flexDirection: 'column', ...style }, ...children)

/** Never broken: whoever gives it has measured it. */
export const line = (words: string, style: Style = {}): Element => row({ whiteSpace: 'nowrap', ...style }, words)

export const picture = (svg: string, across: number): Element => ({
  type: 'img',
  props: {
    src: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
    width: across,
    height: across,
  },
})

export const tick = (across: number, before: number, { paper, ink }: Palette): Element => ({
  type: 'svg',
  props: {
    width: across,
    height: across,
    viewBox: '0 0 24 24',
    style: { marginLeft: before },
    children: [
      { type: 'circle', props: { cx: 12, cy: 12, r: 12, fill: ink } },
      {
        type: 'path',
        props: {
          d: 'M6.6 12.4l3.7 3.7 7.1-7.6',
          fill: 'none',
          stroke: paper,
          'stroke-width': 2.4,
          'stroke-linecap': 'round',
          'stroke-linejoin': 'round',
        },
      },
    ],
  },
})
