import type { TSchema } from 'typebox'
import type { ReadContext } from '#platform/context.ts'
import { ServiceError } from '#platform/errors.ts'
import {
  type Call,
  type Described,
  failed,
  formOf,
  quoted,
  succeeded,
  type Tool,
  unanswerable,
  type WrongArguments,
} from '#platform/mcp/tool.ts'

/** What a call of a stranger's may touch. */
export interface ReadCall extends Call {
  readonly reads: ReadContext
  /** Counts a search; the seconds to wait where it was one too many. */
  searchWait(): Promise<number>
  onPartial(): void
}

/** A tool that asks what a REST route asks, and answers its body. */
export interface Mirror<Asked, Body> extends Described {
  readonly isSearch?: boolean
  ask(reads: ReadContext, asked: Asked): Promise<Body>
  /** What to say where there is no such thing, and what to call next. */
  missing?(asked: Asked): string
}

const onlyReads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const

export function mirror<Asked, Body>(mirrored: Mirror<Asked, Body>, shapes: readonly TSchema[]): Tool<ReadCall> {
  const { name, answers, isSearch, ask, missing } = mirrored
  const { definition, names, read } = formOf<Asked>(mirrored, onlyReads, shapes)
  const refuse = (by: Call, words: string): string => {
    by.onOutcome(name, 'refused')
    return failed(words)
  }
  return {
    definition,
    async call(given, by) {
      const { asked, wrong } = read(given)
      if (wrong) return refuse(by, invalidArguments(name, wrong, names))
      const wait = isSearch ? await by.searchWait() : 0
      if (wait > 0) return refuse(by, `Too many calls; wait ${wait} s.`)
      try {
        const body = await ask(by.reads, asked)
        if ((body as { partial?: boolean }).partial) by.onPartial()
        by.onOutcome(name, 'answered')
        return succeeded(by.write(answers, body))
      } catch (failure) {
        if (failure instanceof ServiceError && failure.status === 404 && missing) return refuse(by, missing(asked))
        if (failure instanceof ServiceError && failure.status === 400)
          return refuse(by, invalidArguments(name, { error: failure, unknown: [] }, names))
        by.onOutcome(name, 'failed')
        return failed(unanswerable(by, failure))
      }
    },
  }
}

const mostNamed = 5

function invalidArguments(tool: string, { error, unknown }: WrongArguments, allowed: readonly string[]): string {
  const wrong = (error?.errors ?? []).map(({ pointer, detail }) => `${pointer.slice(1) || 'arguments'} ${detail}`)
  const known = ` (allowed: ${allowed.join(', ')})`
  const strange = unknown
    .slice(0, mostNamed)
    .map((name, at, all) => `unknown argument ${quoted(name)}${at === all.length - 1 ? known : ''}`)
  return `Invalid arguments for ${tool}: ${[...wrong, ...strange].join('; ')}.`
}
