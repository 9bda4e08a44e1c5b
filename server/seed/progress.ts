/**
 * A progress bar: redrawn in place on a terminal, otherwise an occasional line. Goes to stderr, since stdout is for
 * results.
 */
export interface Progress {
  step(share: number, note?: string): void
  done(note?: string): void
}

const width = 30

export function progress(title: string, out: NodeJS.WriteStream = process.stderr): Progress {
  const started = Date.now()
  let lastDrawn = 0
  const draw = (share: number, note: string, end: string) => {
    const filled = Math.round(Math.min(share, 1) * width)
    const bar = '█'.repeat(filled) + '·'.repeat(width - filled)
    const seconds = Math.round((Date.now() - started) / 1000)
    const line = `${title.padEnd(22)} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${seconds} s  ${note}`
    out.write(out.isTTY ? `\r\u001B[2K${line}${end}` : `${line}\n`)
  }
  return {
    step(share, note = '') {
      const now = Date.now()
      if (now - lastDrawn < (out.isTTY ? 100 : 15_000)) return
      lastDrawn = now
      draw(share, note, '')
    },
    done(note = '') {
      draw(1, note, '\n')
    },
  }
}
