import { normaliseLine } from '#platform/text/normalise.ts'

/** Where words go: one line that changes on a terminal, plain lines elsewhere. */
export interface Screen {
  /** Of a long work: how far it is, and with what. */
  step(done: number, total: number, what: string): void
  /** While nothing happens. */
  waiting(seconds: number, why: string): void
  /** Something that happened, for those who keep a log: on a terminal the summary says it. */
  event(text: string): void
  say(text: string): void
}

interface Out {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const clear = '\r\u001b[2K'

export function screenOn(out: Out): Screen {
  const isTerminal = out.isTTY ?? false
  let shown = false
  const line = (text: string): void => {
    out.write(clear + cut(text, (out.columns || 80) - 1))
    shown = true
  }
  const say = (text: string): void => {
    out.write(`${shown ? clear : ''}${text}\n`)
    shown = false
  }
  return {
    say,
    event: (text) => (isTerminal ? undefined : say(text)),
    step: (done, total, what) =>
      isTerminal ? line(`${counted(done)} of ${counted(total)}  ${nameOf(what)}`) : undefined,
    waiting: (seconds, why) => (isTerminal ? line : say)(`Waiting ${seconds} s: ${lineOf(why)}`),
  }
}

const cut = (text: string, columns: number): string =>
  [...text].length > columns ? `${[...text].slice(0, Math.max(columns - 1, 1)).join('')}…` : text

/** A name or an answer could move the cursor or rewrite what stands above. */
export const lineOf = (text: string): string => normaliseLine(text)
export const nameOf = (path: string): string => lineOf(path) || JSON.stringify(path)

export const counted = (count: number): string => count.toLocaleString('en-GB')
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${counted(count)} ${count === 1 ? one : many}`
