import { hash } from 'node:crypto'
import type { Look } from '../../../embed/source/widgets.ts'

const kinds = ['badge', 'card', 'list', 'bio'] as const
export type Kind = (typeof kinds)[number]
export const isKind = (text: string): text is Kind => (kinds as readonly string[]).includes(text)

/** How a widget in a frame is to look, by the same names as the attributes of the script. */
export interface FrameLook {
  readonly look: Look
  readonly limit: number
  /** A style of its own for the accent, and the hash by which the page's policy knows it. */
  readonly accent: { readonly css: string; readonly hash: string } | undefined
}

const usualLimit = 5

/** What is unknown, or said twice, is the default: a page on somebody's site must not break for it. */
export function readLook(query: Readonly<Record<string, unknown>>, base: string): FrameLook {
  const given = (name: string, shape: RegExp): string | undefined => {
    const value = query[name]
    return typeof value === 'string' && shape.test(value) ? value : undefined
  }
  const accent = given('accent', /^#?[0-9a-f]{6}$/i)
  return {
    look: {
      base,
      theme: given('theme', /^(dark|auto)$/) ?? 'light',
      tone: given('tone', /^verified$/) ?? '',
      target: given('target', /^_(blank|parent|top)$/) ?? '_blank',
    },
    limit: Number(given('limit', /^([1-9]|1\d|20)$/) ?? usualLimit),
    accent: accent === undefined ? undefined : styled(`.w{--accent:#${accent.replace('#', '')}}`),
  }
}

const styled = (css: string) => ({ css, hash: hash('sha256', css, 'base64') })
