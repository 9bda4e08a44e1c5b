import type { SiteInfo } from '#config/site-info.ts'
import type { ReadContext } from '#features/context.ts'
import { action, emailDocument, foot, styles } from '#features/emails/frame.ts'
import { layOutEmail, oneLine } from '#features/emails/layout.ts'
import { categoryLabel } from '#features/pieces/category-label.ts'
import { presentListItem } from '#features/pieces/present.ts'
import { rowsByIds } from '#features/pieces/queries.ts'
import { nearestLanguage, type Translator, translatorFor, translatorOf } from '#messages/translator.ts'
import { html } from '#platform/html.ts'
import { directionOf } from '#platform/text/language.ts'
import { typographic } from '#platform/text/typography.ts'
import type { Part } from './email-html.ts'
import type { ClaimedEmail } from './email-queue.ts'
import { linkedParagraphs } from './email-text.ts'
import { followsOf } from './follow.ts'
import type { ReaderKeys } from './keys.ts'
import { headOf, inLanguage, pieceInEmail } from './piece-email.ts'
import type { Subject } from './schema.ts'
import { subjectsOf } from './subjects.ts'

/** What is written to readers: the frame in their language, a piece in its own. */

export interface ReaderEmailContext {
  readonly reads: ReadContext
  readonly siteInfo: SiteInfo
  readonly keys: ReaderKeys
}

export interface ReaderEmail {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Undefined for the site's own. */
  readonly fromName: string | undefined
}

/** Undefined where there is nothing to say any more. */
export async function writeReaderEmail(
  context: ReaderEmailContext,
  email: ClaimedEmail,
): Promise<ReaderEmail | undefined> {
  const t = translatorOf(nearestLanguage(email.language) ?? context.siteInfo.language)
  if (email.kind === 'confirm') return writeConfirmation(context, email, t)
  const reasons = await reasonsOf(context, email)
  if (reasons === undefined) return undefined
  const written = await writers[email.kind](context, email, t)
  return (
    written &&
    framed(context, email, t, { ...written, reasons, imported: await importedReasons(context.reads, email.id) })
  )
}

interface Written {
  readonly subject: string
  readonly fromName?: string
  readonly parts: readonly Part[]
  /** Links beside the one to what the reader follows. */
  readonly links?: readonly Link[]
}

type Link = readonly [words: string, url: string]

type Writer = (context: ReaderEmailContext, email: ClaimedEmail, t: Translator) => Promise<Written | undefined>

const writers = { welcome: writeWelcome, piece: writePiece, daily: writeDigest, weekly: writeDigest } satisfies Record<
  string,
  Writer
>

async function writeConfirmation(
  { reads, siteInfo: { name }, keys }: ReaderEmailContext,
  { id, reader_id }: ClaimedEmail,
  t: Translator,
): Promise<ReaderEmail | undefined> {
  const follows = await followsOf(reads, reader_id)
  if (follows.length === 0) return undefined
  const url = reads.urls.following(keys.readerToken(reader_id))
  const waiting = follows.filter(({ isConfirmed }) => !isConfirmed)
  const isListed = (await importedReasons(reads, id)).length === waiting.length
  const namesIn = (list: typeof follows) =>
    namesOf(
      t,
      list.map(({ subject }) => subject),
      name,
    )
  const content =
    waiting.length > 0
      ? {
          subject: t('email.follow.confirm.subject', { site: name }),
          before: [
            isListed
              ? t('email.follow.confirm.listed', { names: namesIn(waiting), site: name })
              : t('email.follow.confirm.intro', { names: namesIn(waiting) }),
          ],
          action: { label: t('email.follow.confirm.action'), url },
          after: [t('email.follow.confirm.ignore')],
        }
      : {
          subject: t('email.follow.known.subject', { site: name }),
          before: [t('email.follow.known.intro', { names: namesIn(follows) })],
          action: { label: t('email.follow.change'), url },
          after: [],
        }
  return { ...layOutEmail(content, { name, base: reads.urls.base }, t), fromName: undefined }
}

async function writeWelcome(
  { reads, siteInfo }: ReaderEmailContext,
  { writer_id }: ClaimedEmail,
  t: Translator,
): Promise<Written | undefined> {
  const [[row], [writer]] = await Promise.all([
    reads.db.run<{ text: string | null }>({ text: 'select app.welcome_of($1) as text', values: [writer_id] }),
    subjectsOf(reads, [`author:${writer_id}`]),
  ])
  if (!row?.text || !writer) return undefined
  const { name } = writer
  const subject = t('email.follow.welcome.subject', { name })
  return {
    subject,
    fromName: t('email.follow.from', { names: name, site: siteInfo.name }),
    parts: [titled(subject), linkedParagraphs(row.text)],
  }
}

async function writePiece(context: ReaderEmailContext, { piece_id }: ClaimedEmail, t: Translator) {
  const piece = await pieceInEmail(context, piece_id!)
  if (!piece) return undefined
  const { title, names, uuid, url, isCut } = piece
  const words = t(isCut ? 'email.follow.continue' : 'email.follow.read')
  return {
    subject: title,
    fromName: t('email.follow.from', { names: t.list(names), site: context.siteInfo.name }),
    parts: [piece, { html: action(words, url), text: `${words}:\n${url}` }],
    links: [[t('email.follow.receipt'), context.reads.urls.receipt(uuid)]],
  } satisfies Written
}

const titled = (title: string): Part => ({
  html: html`
    <h1 style="${styles.heading(24, '0 0 28px')}">${title}</h1>`,
  text: title,
})

/** More are on the site. */
const mostInDigest = 40

async function writeDigest(
  { reads, siteInfo }: ReaderEmailContext,
  { id }: ClaimedEmail,
  t: Translator,
): Promise<Written | undefined> {
  const listed = await reads.db.run<{ piece_id: string }>({
    text: 'select piece_id from app.digest_of_email($1)',
    values: [id],
  })
  const ids = listed.map(({ piece_id }) => piece_id)
  const rows = await rowsByIds(reads.db, ids.slice(0, mostInDigest))
  const pieces = ids.flatMap((one) => {
    const row = rows.get(one)
    return row ? [presentListItem(row, reads.urls)] : []
  })
  const [first] = pieces
  if (!first) return undefined
  const siteT = translatorOf(siteInfo.language)
  const parts = pieces.map((piece): Part => {
    const { language, title, summary, url } = piece
    const head = headOf(translatorFor(language, siteT), piece, reads.urls)
    return {
      html: inLanguage(language, directionOf(language, `${title} ${summary}`), head.html),
      text: `${head.text}\n\n${url}`,
    }
  })
  const beyond = ids.length - mostInDigest
  const rest = t('email.follow.digest.rest', { count: beyond })
  return {
    subject: t('email.follow.digest.subject', {
      headline: typographic(first.title, first.language),
      more: Math.max(beyond, 0) + pieces.length - 1,
    }),
    parts: [
      titled(t('email.follow.digest.title', { site: siteInfo.name })),
      ...parts,
      ...(beyond > 0 ? [{ html: action(rest, reads.urls.home()), text: `${rest}:\n${reads.urls.home()}` }] : []),
    ],
  }
}

/** What the reader follows that the email is sent for; undefined if they have stopped meanwhile. */
async function reasonsOf({ reads }: ReaderEmailContext, { id }: ClaimedEmail): Promise<Subject[] | undefined> {
  const rows = await reads.db.run<{ subject: string }>({
    text: 'select subject from app.reasons_of_email($1)',
    values: [id],
  })
  if (rows.length === 0) return undefined
  return subjectsOf(
    reads,
    rows.map(({ subject }) => subject),
  )
}

interface ImportedReason {
  readonly subject: Subject
  readonly agreedAt: Date | null
}

/** What the reader follows by a list that its writer brought, in the first email of it. */
async function importedReasons(reads: ReadContext, email: string): Promise<ImportedReason[]> {
  const rows = await reads.db.run<{ subject: string; agreed_at: Date | null }>({
    text: 'select subject, agreed_at from app.imported_reasons_of_email($1)',
    values: [email],
  })
  const agreed = new Map(rows.map(({ subject, agreed_at }) => [subject, agreed_at]))
  const subjects = await subjectsOf(reads, [...agreed.keys()])
  return subjects.map((subject) => ({ subject, agreedAt: agreed.get(subject.key) ?? null }))
}

interface Why {
  readonly reasons: readonly Subject[]
  readonly imported: readonly ImportedReason[]
}

function framed(
  { reads, siteInfo: { name }, keys }: ReaderEmailContext,
  { kind, reader_id }: ClaimedEmail,
  t: Translator,
  { subject, fromName, parts, links = [], reasons, imported }: Written & Why,
): ReaderEmail {
  const site = { name, base: reads.urls.base }
  const reason = reasons.length > 0 && t('email.follow.reason', { kind, names: namesOf(t, reasons, name) })
  const change = t('email.follow.change')
  const all: readonly Link[] = [[change, reads.urls.following(keys.readerToken(reader_id))], ...links]
  const why = [
    reason,
    ...imported.map(
      ({ subject: { name }, agreedAt }) =>
        agreedAt && t('email.follow.imported', { name, site: site.name, date: t.date(agreedAt, longDate) }),
    ),
  ].filter(Boolean)
  const before = html`${why.map(
    (words) => html`
    <p style="${styles.small('0 0 12px')}">${words}</p>`,
  )}
    <p style="${styles.small('0 0 12px')}">${all.map(([words, url], at) => html`${at > 0 && ' · '}<a href="${url}" style="${styles.link}">${words}</a>`)}</p>`
  const title = oneLine(subject)
  const home = html`
    <p style="${styles.small('0 0 28px')}"><a class="plain" href="${reads.urls.home()}" style="${styles.plain};font-weight:600">${name}</a></p>`
  const content = html`${home}${parts.map((part) => part.html)}${foot(site, before)}`
  const texts = [
    name,
    ...parts.map(({ text }) => text),
    ...why,
    ...all.map(([words, url]) => `${words}:\n${url}`),
    `${name}\n${site.base}`,
  ]
  return {
    subject: title,
    fromName: fromName && oneLine(fromName),
    text: `${texts.filter(Boolean).join('\n\n')}\n`,
    html: emailDocument({ title, language: t.language, dir: t.dir, content }),
  }
}

const longDate = { day: 'numeric', month: 'long', year: 'numeric' } as const

const mostNamed = 5

/** "Ada Okafor, the section Life and the topic tea". */
function namesOf(t: Translator, subjects: readonly Subject[], site: string): string {
  const named = subjects.slice(0, mostNamed).map(({ kind, name }) =>
    t('email.follow.name', {
      kind,
      name: kind === 'site' ? site : kind === 'section' ? categoryLabel(t, name) : name,
    }),
  )
  const more = subjects.length - named.length
  return t.list(more > 0 ? [...named, t('email.follow.more', { count: more })] : named)
}
