/** Which of these types a caller would rather have; the first of them where it does not say. */
export function preferred<Type extends string>(accept: string | undefined, offered: readonly [Type, ...Type[]]): Type {
  if (!accept || accept === '*/*') return offered[0]
  const ranges = accept.split(',').map(readRange)
  let best: Type = offered[0]
  let most = 0
  for (const type of offered) {
    const quality = qualityOf(type, ranges)
    if (quality > most) [best, most] = [type, quality]
  }
  return best
}

interface Range {
  readonly type: string
  readonly quality: number
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** The most exact range that fits decides: `text/*;q=0.1, text/html` is 1 for HTML. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const [group] = type.split('/')
  for (const fitting of [type, `${group}/*`, '*/*']) {
    const range = ranges.find((one) => one.type === fitting)
    if (range) return range.quality
  }
  return 0
}
