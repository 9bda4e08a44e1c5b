/**
 * What a run says of itself in a few words: its lines that begin with `figure: `, what tests said by `t.diagnostic`, and
 * claims with a tick or a cross.
 */
export function figuresIn(printed: string): string {
  const lines = printed
    .replaceAll(/\u001b\[[\d;]*m/g, '')
    .split('\n')
    .map((line) => line.trim())
  const figures = lines.flatMap((line) => {
    const [, said] =
      /^(?:ℹ )?figure: (.+)$/.exec(line) ?? /^ℹ (?!\w+ [\d.]+$)(.+)$/.exec(line) ?? /^([✓✗] .+)$/.exec(line) ?? []
    return said ?? []
  })
  if (figures.length > 0) return [...new Set(figures)].join('; ')
  const passed = /^ℹ pass (\d+)$/m.exec(lines.join('\n'))?.[1]
  return passed ? `${passed} tests` : ''
}
