import type { TSchema } from 'typebox'
import type { ServiceError } from '../errors.ts'
import { argumentValidator } from '../http/validation.ts'
import type { Params } from './json-rpc.ts'
import { type InputOptions, inputOf, type ObjectSchema, outputOf } from './schemas.ts'

export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema?: ObjectSchema
  readonly annotations?: Readonly<Record<string, unknown>>
}

type Outcome = 'answered' | 'refused' | 'failed'

/** What a method may touch while it answers one message; each door adds what is its own. */
export interface Call {
  readonly requestId: string
  /** A body as the REST route writes it: by the same schema, which lets nothing else out. */
  write(shape: TSchema, body: unknown): string
  /** Notes a failure of ours; the words by which it can be found again. */
  noteFailure(error: unknown): string
  onOutcome(tool: string, outcome: Outcome): void
}

export interface Tool<By extends Call = Call> {
  readonly definition: ToolDefinition
  /** The whole result, as JSON. */
  call(given: Params, by: By): Promise<string>
}

/** What a client may expect of a call before it makes it. The defaults of the protocol fear the worst, so each is said. */
export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
}

/** A tool that takes and answers what a REST route does. */
export interface Described extends InputOptions {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What the route takes. */
  readonly takes: TSchema
  /** What the route answers. */
  readonly answers: TSchema
}

export interface WrongArguments {
  readonly error: ServiceError | undefined
  /** Names that there are not. */
  readonly unknown: readonly string[]
}

/** Arguments as the route has them, or all that is wrong with them. */
type Read<Asked> =
  | { readonly asked: Asked; readonly wrong?: undefined }
  | { readonly asked?: undefined; readonly wrong: WrongArguments }

interface ToolForm<Asked> {
  readonly definition: ToolDefinition
  /** The names there are. */
  readonly names: readonly string[]
  read(given: Params): Read<Asked>
}

export function formOf<Asked>(described: Described, hints: Hints, shapes: readonly TSchema[]): ToolForm<Asked> {
  const { name, title, description, takes, answers } = described
  const { published, validated, asRoute } = inputOf(takes, described)
  const validate = argumentValidator(validated)
  const names = Object.keys(validated.properties)
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: published,
      outputSchema: outputOf(answers, shapes),
      annotations: { title, ...hints, openWorldHint: false },
    },
    names,
    read(given) {
      const unknown = Object.keys(given).filter((argument) => !names.includes(argument))
      const { error, value = {} } = validate(given) as { error?: ServiceError; value?: Record<string, unknown> }
      return error || unknown.length > 0 ? { wrong: { error, unknown } } : { asked: asRoute(value) as Asked }
    },
  }
}

/** The body stands in the answer twice, and is written once: the text is its JSON, quoted. */
export const succeeded = (json: string): string =>
  `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json},"isError":false}`

/** Without structuredContent: clients would hold it against the output schema. */
export const failed = (text: string): string => JSON.stringify({ content: [{ type: 'text', text }], isError: true })

/** Notes it, and says so without a word of what it was. */
export const unanswerable = (by: Call, failure: unknown): string =>
  `The service could not answer now (ref ${by.noteFailure(failure)}). Try again once; do not change the arguments.`

const longestQuote = 80

/** What was sent, cut where it is long: at most 80 characters. */
export function quoted(text: string): string {
  const characters = [...text.slice(0, 2 * longestQuote + 2)]
  const cut = characters.length > longestQuote ? `${characters.slice(0, longestQuote - 1).join('')}…` : text
  return `"${cut.toWellFormed()}"`
}

/** The id at the end of `urn:uuid:…` or of an address; what has none stays as it is, and is nobody's. */
export const uuidIn = (given: string): string => /(?:^urn:uuid:|[/:])([^/:]+)\/?$/i.exec(given)?.[1] ?? given
