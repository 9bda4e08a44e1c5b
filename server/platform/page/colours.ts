import { readFileSync } from 'node:fs'
import { hexOf } from '../images/colour.ts'

let tokens: string | undefined

/** A colour of the pages as hex, for what cannot read their stylesheet. */
export function tokenColour(name: string, mode: 'light' | 'dark' = 'light'): string {
  tokens ??= readFileSync(new URL('./style/tokens.css', import.meta.url), 'utf8')
  // The light colours come first.
  const found = [...tokens.matchAll(new RegExp(`--${name}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\);`, 'g'))]
  const values = found[mode === 'light' ? 0 : 1]
  if (!values) throw new Error(`tokens.css has no colour ${name}`)
  const [lightness, chroma, hue] = values.slice(1).map(Number) as [number, number, number]
  return hexOf(lightness, chroma, hue)
}
