import { createHash } from 'node:crypto'
import type { Draft as Stored } from '@standfirst/sdk'
import { CreatePieceBody } from '#features/pieces/draft-schema.ts'
import { cliTranslator } from '#messages/cli.ts'
import { argumentValidator } from '#platform/http/validation.ts'
import { type Draft, type Member, members, type ReadDraft, readMember } from './file-draft.ts'
import type { Page } from './front-matter.ts'
import { Problem } from './terminal.ts'

const t = cliTranslator()

/** All members of a draft on the site. */
export const draftIn = (piece: Stored): Draft => ({
  headline: piece.headline,
  sub: piece.sub,
  body_md: piece.body_md ?? '',
  category: piece.category as NonNullable<Draft['category']>,
  tags: [...piece.tags],
  frame: piece.frame as NonNullable<Draft['frame']>,
  style: piece.style,
  locale: piece.locale,
  external_url: piece.external_url,
  ...(piece.meta ? { meta: metaIn(piece.meta) } : {}),
})

const metaIn = (meta: object): NonNullable<Draft['meta']> =>
  Object.fromEntries(Object.entries(meta).filter(([, text]) => text !== null))

/** Defaults of members that a file no longer has. */
export const memberDefaults: Readonly<Partial<Draft>> = {
  sub: null,
  category: 'building',
  tags: [],
  frame: 'lesson',
  style: 'essay',
  locale: 'en',
  external_url: null,
  meta: null,
}

const validate = argumentValidator(CreatePieceBody as object)

/** Other front matter, for the writer or other programs. */
export const otherFrontMatter = ({ facts }: Page): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(facts).filter(
      ([name, value]) =>
        !members.some(([member, aliases]) => aliases.includes(name) && readMember(member, value) !== undefined),
    ),
  )

/** Validates with the site's schema, so that nothing is sent only to be rejected. */
export function assertValid({ draft, called }: ReadDraft): void {
  const { error } = validate(draft)
  if (!error) return
  const sentences = (error.errors ?? []).map(({ pointer, code, detail, limit, actual }) => {
    const [member, place] = pointer.slice(1).split('/') as [Member, string?]
    if (member === 'headline' && code === 'missing') {
      return t('cli.sync.no_title', { member: 'title:', heading: '#' })
    }
    if (member === 'body_md' && code === 'empty') return t('cli.sync.no_text')
    const name = member === 'body_md' ? t('cli.sync.text') : (called.get(member) ?? member)
    const number = Number(place) + 1
    const which = place === undefined ? name : number ? t('cli.sync.list_item', { name, number }) : `${name}: ${place}:`
    const problem = typeof detail === 'string' ? detail : t.say(detail)
    return limit === undefined || actual === undefined
      ? t('cli.sync.invalid', { name: which, problem })
      : t('cli.sync.invalid_length', { name: which, problem, actual })
  })
  throw new Problem(sentences.join(' '))
}

/** Files with equal drafts have equal hashes. Members are in reading order. */
export const hashOf = (draft: object): string => createHash('sha256').update(JSON.stringify(draft)).digest('base64url')

/** Writes a draft as a file that `push` reads back identically. `more` is kept in the file and not sent. */
export function writtenPage(draft: Draft, more: Readonly<Record<string, unknown>> = {}): string {
  const said = members.filter(([member]) => draft[member] !== undefined && draft[member] !== null)
  const written: Record<string, unknown> = Object.fromEntries(said.map(([member, [name]]) => [name, draft[member]]))
  const facts = [...Object.entries(written), ...Object.entries(more).filter(([name]) => !Object.hasOwn(written, name))]
  return `---\n${facts.map(([name, value]) => `${name}: ${yaml(value)}\n`).join('')}---\n\n${draft.body_md}`
}

/** Strings that YAML reads unquoted: most titles look as their writer would have typed them. */
const bare = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)\p{L}[\p{L}\p{M}\p{N} ,.!?'’()/-]*$/iu

const isBare = (value: unknown): boolean => typeof value === 'string' && bare.test(value) && value === value.trim()

const yaml = (value: unknown): string => {
  if (!Array.isArray(value)) return isBare(value) ? String(value) : quoted(value)
  return `[${value.map((one) => (isBare(one) && !one.includes(',') ? one : quoted(one))).join(', ')}]`
}

/** JSON is YAML, except for characters that would end the line or are not allowed. */
const quoted = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
