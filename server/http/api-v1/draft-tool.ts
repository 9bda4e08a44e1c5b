import type { KeyHolder } from '#features/keys/api-key-auth.ts'
import { MyPiece, MyPieceListItem } from '#features/pieces/draft-schema.ts'
import { publishingMembers } from '#features/pieces/normalize-input.ts'
import type { WriteContext } from '#platform/context.ts'
import { type FieldProblem, invalid, pointerTo, type Reason, ServiceError } from '#platform/errors.ts'
import { errorBody } from '#platform/http/errors.ts'
import type { Params } from '#platform/mcp/json-rpc.ts'
import {
  type Call,
  type Described,
  failed,
  formOf,
  type Hints,
  succeeded,
  type Tool,
  unanswerable,
} from '#platform/mcp/tool.ts'
import type { Quotas } from './context.ts'

/** What a call with a key may touch: what the write API may with the same key. */
export interface KeyCall extends Call {
  readonly writes: WriteContext
  readonly holder: KeyHolder
  /** Counts a write; refuses where it was one too many. */
  countWrite(): Promise<void>
  /** As the write API counts what it saves. */
  saving<Done extends { readonly saved: boolean }>(work: (left: boolean) => Promise<Done>): Promise<Done>
  readonly noneLeft: Quotas['noneLeft']
  /** Told the names of what was sent and is not taken. */
  noteIgnored(names: readonly string[]): void
}

/** A tool that does what a route of the write API does, answers its body, and refuses with its reasons. */
export interface DraftTool<Asked, Body> extends Described {
  readonly hints: Hints
  ask(by: KeyCall, asked: Asked): Promise<Body>
}

export function draftTool<Asked, Body>(tool: DraftTool<Asked, Body>): Tool<KeyCall> {
  const { name, answers, hints, ask } = tool
  const { definition, names, read } = formOf<Asked>(tool, hints, [MyPiece, MyPieceListItem])
  const run = async (given: Params, by: KeyCall): Promise<Body> => {
    if (!hints.readOnlyHint) await by.countWrite()
    const { asked, wrong } = read(given)
    if (!wrong) return ask(by, asked)
    by.noteIgnored(wrong.unknown)
    throw invalid([...(wrong.error?.errors ?? []), ...strangers(wrong.unknown, names)])
  }
  return {
    definition,
    async call(given, by) {
      try {
        const answer = by.write(answers, await run(given, by))
        by.onOutcome(name, 'answered')
        return succeeded(answer)
      } catch (failure) {
        const refusal = refusalOf(failure)
        by.onOutcome(name, refusal ? 'refused' : 'failed')
        // The key was revoked while this was at work: refused as at the context.
        if (refusal?.reason === 'invalid_key') throw failure
        return failed(JSON.stringify(errorBody(refusal ?? oursOf(failure, by), by.requestId)))
      }
    },
  }
}

/** Where the write API speaks of its addresses and headers, a tool speaks of tools and arguments. */
const words: Readonly<Partial<Record<Reason, string>>> = {
  not_found: 'You have no piece with this id. Call list_my_pieces for those you have.',
  precondition_required:
    'Give revision as get_draft answered it, so that nobody else’s change is lost. A new draft is at revision 1.',
  idempotency_conflict: 'A call with this idempotency_key is being worked on. Call again in a second.',
  idempotency_mismatch: 'This idempotency_key was used with other arguments. Use a new one for a new piece.',
}

/** What the caller can mend, in the one error body; nothing where the fault is ours. */
function refusalOf(failure: unknown): ServiceError | undefined {
  if (!(failure instanceof ServiceError) || failure.status >= 500) return undefined
  const { status, reason, message, errors } = failure
  return new ServiceError(status, reason, words[reason] ?? message, errors ? { errors } : {})
}

const oursOf = (failure: unknown, by: Call): ServiceError =>
  failure instanceof ServiceError && ['overloaded', 'database_away'].includes(failure.reason)
    ? failure
    : new ServiceError(500, 'internal', unanswerable(by, failure))

const mostNamed = 5

/** Arguments that there are not: refused, since a model that is told mends its call, and one that is not takes them for done. */
const strangers = (unknown: readonly string[], names: readonly string[]): FieldProblem[] =>
  unknown.slice(0, mostNamed).map((name) => ({
    pointer: pointerTo(name),
    code: 'unknown_argument',
    detail: publishingMembers.includes(name)
      ? 'is no argument: only the writer publishes, at the desk'
      : `is no argument (there are ${names.join(', ')})`,
  }))
