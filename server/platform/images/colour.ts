/**
 * From OKLCH to sRGB (https://bottosson.github.io/posts/oklab/) as hex, which every renderer of SVG understands. A colour
 * that no screen of sRGB can show loses chroma until one can, and keeps its lightness and hue.
 */
export function hexOf(lightness: number, chroma: number, hue: number): string {
  let [low, high] = [0, chroma]
  if (!isShowable(linearOf(lightness, high, hue))) {
    for (let step = 0; step < 8; step++) {
      const middle = (low + high) / 2
      if (isShowable(linearOf(lightness, middle, hue))) low = middle
      else high = middle
    }
    high = low
  }
  const bytes = linearOf(lightness, high, hue).map((value) => {
    const encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055
    return Math.round(255 * Math.min(1, Math.max(0, encoded)))
  })
  return `#${Buffer.from(bytes).toString('hex')}`
}

const isShowable = (linear: readonly number[]): boolean => linear.every((value) => value > -0.0005 && value < 1.0005)

function linearOf(lightness: number, chroma: number, hue: number): readonly number[] {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}
