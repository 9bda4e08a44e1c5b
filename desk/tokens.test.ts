import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Text colours have enough contrast on every background. */

const css = readFileSync(new URL('../server/platform/page/style/tokens.css', import.meta.url), 'utf8')
const [day = '', night = ''] = css.split('prefers-color-scheme: dark')

const inks = ['ink', 'soft', 'accent', 'draft', 'pending', 'approved', 'changes', 'rejected']
const grounds = ['paper', 'wash']

/** WCAG luminance of an OKLCH colour. */
function luminance(sheet: string, name: string): number {
  const [, lightness, chroma, hue] = new RegExp(`--${name}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(sheet) ?? []
  assert.ok(hue !== undefined, `no token ${name}`)
  const angle = (Number(hue) * Math.PI) / 180
  const [l, a, b] = [Number(lightness), Number(chroma) * Math.cos(angle), Number(chroma) * Math.sin(angle)]
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = 4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short
  const green = -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short
  const blue = -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short
  const inGamut = (value: number) => Math.min(Math.max(value, 0), 1)
  return 0.2126 * inGamut(red) + 0.7152 * inGamut(green) + 0.0722 * inGamut(blue)
}

for (const [time, sheet] of Object.entries({ day, night })) {
  test(`words have a contrast of at least 4.5 to what they stand on, by ${time}`, () => {
    for (const ink of inks) {
      for (const ground of grounds) {
        const [one, two] = [luminance(sheet, ink), luminance(sheet, ground)]
        const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05)
        assert.ok(contrast >= 4.5, `${ink} on ${ground}: ${contrast.toFixed(2)}`)
      }
    }
  })
}
