import type { TSchema } from 'typebox'
import type { ReadContext } from '#platform/context.ts'
import { ServiceError } from '#platform/errors.ts'
import { argumentValidator } from '#platform/http/validation.ts'
import type { Params } from './envelope.ts'
import { type InputOptions, inputOf, type ObjectSchema, outputOf } from './schemas.ts'

export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema?: ObjectSchema
  readonly annotations?: Readonly<Record<string, unknown>>
}

/** What a method may touch while it answers one message. */
export interface Call {
  readonly reads: ReadContext
  /** A body as the REST route writes it: by the same schema, which lets nothing else out. */
  write(shape: TSchema, body: unknown): string
  /** Counts a search; the seconds to wait where it was one too many. */
  searchWait(): Promise<number>
  onPartial(): void
  /** Notes a failure of ours; the words by which it can be found again. */
  noteFailure(error: unknown): string
  onOutcome(tool: string, outcome: 'answered' | 'refused' | 'failed'): void
}

export interface Tool {
  readonly definition: ToolDefinition
  /** The whole result, as JSON. */
  call(given: Params, by: Call): Promise<string>
}

/** A tool that asks what a REST route asks, and answers its body. */
export interface Mirror<Asked, Body> extends InputOptions {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What the route takes. */
  readonly takes: TSchema
  /** What the route answers. */
  readonly answers: TSchema
  readonly isSearch?: boolean
  ask(reads: ReadContext, asked: Asked): Promise<Body>
  /** What to say where there is no such thing, and what to call next. */
  missing?(asked: Asked): string
}

export function mirror<Asked, Body>(mirrored: Mirror<Asked, Body>, shapes: readonly TSchema[]): Tool {
  const { name, title, description, takes, answers, isSearch, ask, missing } = mirrored
  const { published, validated, asRoute } = inputOf(takes, mirrored)
  const validate = argumentValidator(validated)
  const names = Object.keys(validated.properties)
  const refuse = (by: Call, words: string): string => {
    by.onOutcome(name, 'refused')
    return failed(words)
  }
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: published,
      outputSchema: outputOf(answers, shapes),
      annotations: {
        title,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    async call(given, by) {
      const unknown = Object.keys(given).filter((argument) => !names.includes(argument))
      const { error, value = {} } = validate(given) as { error?: ServiceError; value?: Record<string, unknown> }
      if (error || unknown.length > 0) return refuse(by, invalidArguments(name, error, unknown, names))
      const wait = isSearch ? await by.searchWait() : 0
      if (wait > 0) return refuse(by, `Too many calls; wait ${wait} s.`)
      const asked = asRoute(value) as Asked
      try {
        const body = await ask(by.reads, asked)
        if ((body as { partial?: boolean }).partial) by.onPartial()
        by.onOutcome(name, 'answered')
        return succeeded(by.write(answers, body))
      } catch (failure) {
        if (failure instanceof ServiceError && failure.status === 404 && missing) return refuse(by, missing(asked))
        if (failure instanceof ServiceError && failure.status === 400)
          return refuse(by, invalidArguments(name, failure, [], names))
        by.onOutcome(name, 'failed')
        const reference = by.noteFailure(failure)
        return failed(
          `The service could not answer now (ref ${reference}). Try again once; do not change the arguments.`,
        )
      }
    },
  }
}

/** The body stands in the answer twice, and is written once: the text is its JSON, quoted. */
const succeeded = (json: string): string =>
  `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json},"isError":false}`

/** Without structuredContent: clients would hold it against the output schema. */
const failed = (text: string): string => JSON.stringify({ content: [{ type: 'text', text }], isError: true })

const mostNamed = 5

function invalidArguments(
  tool: string,
  error: ServiceError | undefined,
  unknown: readonly string[],
  allowed: readonly string[],
): string {
  const wrong = (error?.errors ?? []).map(({ pointer, detail }) => `${pointer.slice(1) || 'arguments'} ${detail}`)
  const known = ` (allowed: ${allowed.join(', ')})`
  const strange = unknown
    .slice(0, mostNamed)
    .map((name, at, all) => `unknown argument ${quoted(name)}${at === all.length - 1 ? known : ''}`)
  return `Invalid arguments for ${tool}: ${[...wrong, ...strange].join('; ')}.`
}

const longestQuote = 80

/** What was sent, cut where it is long: at most 80 characters. */
export function quoted(text: string): string {
  const characters = [...text.slice(0, 2 * longestQuote + 2)]
  const cut = characters.length > longestQuote ? `${characters.slice(0, longestQuote - 1).join('')}…` : text
  return `"${cut.toWellFormed()}"`
}
