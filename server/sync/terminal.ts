import { cliTranslator } from '#messages/cli.ts'
import { normaliseLine } from '#platform/text/normalise.ts'

const t = cliTranslator()

/** Terminal output: one updating line on a TTY, plain lines elsewhere. */
export interface Terminal {
  /** Progress of a long operation. */
  step(done: number, total: number, what: string): void
  /** While waiting. */
  waiting(seconds: number, why: string): void
  /** An event for logs; on a TTY the summary covers it. */
  event(text: string): void
  say(text: string): void
}

interface Out {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const clear = '\r\u001b[2K'

export function terminalOn(out: Out): Terminal {
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
      isTerminal ? line(`${t('cli.done_of', { done, total })}  ${nameOf(what)}`) : undefined,
    waiting: (seconds, why) => (isTerminal ? line : say)(t('cli.sync.waiting', { seconds, reason: lineOf(why) })),
  }
}

const cut = (text: string, columns: number): string =>
  [...text].length > columns ? `${[...text].slice(0, Math.max(columns - 1, 1)).join('')}…` : text

/** Untrusted text could contain control sequences that move the cursor or rewrite lines. */
export const lineOf = (text: string): string => normaliseLine(text)
export const nameOf = (path: string): string => lineOf(path) || JSON.stringify(path)

/** A problem with one file that the writer can fix: a sentence shown next to its path. */
export class Problem extends Error {}

/** The site rejected a request. */
export class Refused extends Problem {
  readonly status: number

  constructor(status: number, words: string) {
    super(words)
    this.status = status
  }
}

/** The run cannot continue: an invalid key, an unreachable site, an exhausted daily limit. */
export class Stopped extends Error {}

/** No response arrived: the request may or may not have been executed. */
export class Lost extends Stopped {}
