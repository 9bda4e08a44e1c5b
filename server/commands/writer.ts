import type pg from 'pg'
import type { Config } from '#config/config.ts'
import { linkWriterAccount } from '#features/accounts/invitations.ts'
import { addWriter, listWriters, publishProfile, renameWriter, setVerified } from '#features/authors/writers.ts'
import { resumeImports } from '#features/followers/imports.ts'
import { type SuspensionAct, suspendAsOwner } from '#features/moderation/writers.ts'
import { purgeAuthor } from '#features/profiles/profile.ts'
import { urlsFor } from '#features/urls.ts'
import { cliTranslator } from '#messages/cli.ts'
import { normaliseLine, normaliseLineWithin } from '#platform/text/normalise.ts'
import { isSlug } from '#platform/text/slug.ts'
import { addressIn, linkFor, unconfirmed } from './account.ts'
import { asOwner, CommandError } from './command-support.ts'

const t = cliTranslator()

export interface NewWriter {
  readonly name: string
  readonly bio?: string
  readonly role?: string
  readonly niche?: string
  readonly location?: string
  readonly website?: string
  /** Of the person who will sign in as them. */
  readonly email?: string
}

export async function add(config: Config, slug: string, given: NewWriter): Promise<void> {
  const line = (text: string | undefined) => (text ? normaliseLine(text) || null : null)
  const profile = {
    slug: freeSlug(slug),
    name: line(given.name) ?? '',
    bio: line(given.bio),
    role: line(given.role),
    niche: line(given.niche),
    location: line(given.location),
    avatarUrl: null,
    website: website(given.website),
    socials: {},
  }
  if (!profile.name) throw new CommandError(t('cli.writer.no_name'))
  if (/[✓✔✅☑🗸🔵]/u.test(profile.name)) throw new CommandError(t('cli.writer.no_ticks'))
  const email = given.email === undefined ? undefined : addressIn(given.email)
  const lines = await asOwner(config, async (owner) => {
    const id = await taken(slug, () => addWriter(owner, profile))
    const admission = email === undefined ? [nobody(slug)] : await admitted(config, owner, slug, email)
    await publishProfile(owner, id)
    return admission
  })
  console.log(t('cli.writer.added', { name: profile.name, address: urlsFor(config.BASE_URL).profile(slug) }))
  for (const line of lines) console.log(line)
}

const nobody = (slug: string): string =>
  t('cli.writer.no_account', { command: `standfirst writer invite ${slug} <email>` })

/** Lets a person sign in as a writer; repeat it for a new link. */
export async function invite(config: Config, slug: string, given: string): Promise<void> {
  const email = addressIn(given)
  for (const line of await asOwner(config, (owner) => admitted(config, owner, slug, email))) console.log(line)
}

async function admitted(config: Config, owner: pg.Client, slug: string, email: string): Promise<string[]> {
  const admission = await linkWriterAccount(owner, slug, email)
  switch (admission.outcome) {
    case 'no_writer':
      throw noWriter(slug)
    case 'taken':
      throw new CommandError(t('cli.writer.account_taken', { email, slug }))
    case 'unconfirmed':
      throw unconfirmed(email)
    case 'promoted':
    case 'already':
      return [t('cli.writer.linked_account', { email, slug })]
    case 'linked':
      return [
        t('cli.writer.linked', { email, slug }),
        ...linkFor(config, admission.token, `standfirst writer invite ${slug} ${email}`),
      ]
  }
}

const noWriter = (slug: string): CommandError =>
  new CommandError(t('cli.writer.unknown', { slug, command: 'standfirst writer list' }))

export async function list(config: Config): Promise<void> {
  const writers = await asOwner(config, listWriters)
  if (writers.length === 0)
    console.log(t('cli.writer.none', { command: 'standfirst writer add <slug> --name "Their Name"' }))
  for (const { slug, name, pieces_count, identity_verified, website_verified } of writers) {
    const marks = [
      identity_verified && t('cli.writer.identity_verified'),
      website_verified && t('cli.writer.website_verified'),
    ].filter(Boolean)
    console.log([slug, name, t('cli.writer.pieces', { count: pieces_count }), ...marks].join('\t'))
  }
}

export async function verify(
  config: Config,
  slug: string,
  { website, undo }: { website?: true; undo?: true },
): Promise<void> {
  const proof = website ? 'website' : 'identity'
  await asOwner(config, async (owner) => show(owner, slug, await setVerified(owner, slug, proof, !undo)))
  console.log(t(undo ? 'cli.writer.unverified' : 'cli.writer.verified', { proof, slug }))
}

export async function rename(config: Config, slug: string, newSlug: string): Promise<void> {
  freeSlug(newSlug)
  await asOwner(config, async (owner) =>
    show(owner, slug, await taken(newSlug, () => renameWriter(owner, slug, newSlug)), newSlug),
  )
  console.log(t('cli.writer.renamed', { slug, newSlug }))
}

/** Hides everything of a writer and notifies them, or restores it. */
export async function suspend(
  config: Config,
  act: SuspensionAct,
  slug: string,
  given: { readonly reason?: string },
): Promise<void> {
  const reason = normaliseLineWithin(given.reason ?? '', longestReason) || null
  const isTooLong = reason !== null && [...reason].length > longestReason
  if (isTooLong || (act === 'suspend' && !reason)) {
    throw new CommandError(t('cli.bad_reason', { most: longestReason }))
  }
  const found = await asOwner(config, (owner) => suspendAsOwner(owner, act, slug, reason))
  if (!found) throw noWriter(slug)
  console.log(t(act === 'restore' ? 'cli.writer.restored' : 'cli.writer.suspended', { slug }))
  if (act === 'suspend') console.log(t('cli.undo', { command: `standfirst writer restore ${slug}` }))
}

/** After too many of a writer's imported followers had bounced. */
export async function resumeFollowers(config: Config, slug: string): Promise<void> {
  const resumed = await asOwner(config, (owner) => resumeImports(owner, slug))
  if (resumed === undefined) throw noWriter(slug)
  console.log(t(resumed ? 'cli.writer.followers_resumed' : 'cli.writer.followers_not_stopped', { slug }))
}

const longestReason = 2000

/** Publishes the current state and purges caches. */
async function show(owner: pg.Client, slug: string, id: string | undefined, newSlug = slug): Promise<void> {
  if (id === undefined) throw noWriter(slug)
  await purgeAuthor(owner, slug, newSlug)
  await publishProfile(owner, id)
}

async function taken<T>(slug: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw new CommandError(t('cli.writer.slug_taken', { slug }))
    throw error
  }
}

function freeSlug(slug: string): string {
  if (isSlug(slug)) return slug
  throw new CommandError(t('cli.writer.bad_slug', { most: 40 }))
}

function website(given: string | undefined): string | null {
  if (!given) return null
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href
  throw new CommandError(t('cli.writer.bad_website'))
}
