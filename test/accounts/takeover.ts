import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { sendEmailChange } from '../../server/features/accounts/email-change.ts'
import { type Send, sendLinkEmail } from '../../server/features/accounts/mail.ts'
import type { Jobs } from '../../server/features/jobs.ts'
import { deleteDue } from '../../server/features/offboarding/delete-account.ts'
import { hashOf } from '../../server/platform/crypto.ts'
import type { Database } from '../../server/platform/db/database.ts'
import {
  anyEmail,
  type DeskBrowser,
  makeAccount,
  makeSoftPasskey,
  openDesk,
  type SoftPasskey,
  signWithSoftPasskey,
} from '../../testkit/accounts.ts'

/**
 * An owner and an attacker at one account, in any order. The attacker begins inside: with a copy of a session that was
 * opened a moment ago, and perhaps the password. The promise (docs/accounts.md): once the owner has set a new password by
 * a link in their emails, nothing the attacker has or does works, and the owner has everything they had.
 */

export interface Site {
  readonly app: FastifyInstance
  readonly admin: pg.Pool
  readonly worker: Database
}

const ownersFirst = 'otter lantern quince velvet'
const ownersNew = 'marble anchor thimble gravel'
const attackersOwn = 'copper walnut saddle ribbon'
/** Long enough, but a common password. The owner would choose it if the site allowed that. */
export const everybodys = 'passwordpassword1'

const attackerActs = [
  'asks for their own address',
  'confirms their address',
  'resets by a link they got',
  'asks for a reset to their address',
  'asks for a reset to the owner’s address',
  'adds a passkey',
  'signs in with a passkey',
  'makes a key',
  'makes a private link',
  'sets a password',
  'signs in with a password',
  'signs everybody else out',
  'takes their wish back',
  'deletes the owner’s passkey',
  'asks for the account to be deleted',
  'makes recovery codes',
  'signs in with a recovery code',
  'publishes a day later by the session they stole',
  'deletes the owner’s piece',
  'deletes the owner’s piece by a key they made',
] as const
const ownerActs = [
  'signs in',
  'changes the password',
  'signs everybody else out',
  'keeps the account',
  'recovers',
] as const

export type Act =
  | { readonly who: 'attacker'; readonly act: (typeof attackerActs)[number] }
  | { readonly who: 'owner'; readonly act: (typeof ownerActs)[number] }

export const acts: readonly Act[] = [
  ...attackerActs.map((act) => ({ who: 'attacker' as const, act })),
  ...ownerActs.map((act) => ({ who: 'owner' as const, act })),
]

export interface Story {
  readonly attackerKnowsPassword: boolean
  readonly before: readonly Act[]
  readonly after: readonly Act[]
}

/** Plays the story, with the owner's recovery between `before` and `after`, and checks the promise. */
export async function playTakeover(site: Site, { attackerKnowsPassword, before, after }: Story): Promise<void> {
  const players = await openAccount(site, attackerKnowsPassword)
  for (const act of before) await players.play(act)
  await players.play({ who: 'owner', act: 'recovers' })
  for (const act of after) if (act.who === 'attacker') await players.play(act)
  await players.check()
}

async function openAccount({ app, admin, worker }: Site, attackerKnowsPassword: boolean) {
  const ownersAddress = anyEmail()
  const attackersAddress = anyEmail()
  const { id: account } = await makeAccount(admin, { email: ownersAddress, password: ownersFirst })
  await admin.query("insert into app.writers (account_id, slug, name, search_text) values ($1, $2, 'Ada', 'ada')", [
    account,
    `ada-${randomBytes(6).toString('hex')}`,
  ])
  const received = new Map<string, Received[]>()
  const deliver = deliverEmails(admin, worker, account, [ownersAddress, attackersAddress], received)
  const lastOf = (address: string, ...letters: string[]) =>
    (received.get(address) ?? []).findLast(({ letter }) => letters.includes(letter))?.token

  const { signIn, withPasskey, withCode, addPasskey, makeKey, makeLink } = waysIn(app, [
    ownersAddress,
    attackersAddress,
  ])

  // What the owner has.
  const home = (await signIn(ownersAddress, ownersFirst))!
  const ownersPasskey = (await addPasskey(home))!
  const ownersKey = await makeKey(home)
  const { piece } = (await home.post('/pieces', { headline: 'Mine', body_md: 'My own words.' })).json()
  let ownersLink = await makeLink(home, piece.id)
  const known = new Set([ownersPasskey.id, ownersKey.id, ownersLink.id])
  let owner: DeskBrowser | undefined = home
  let ownersPassword = ownersFirst
  let passkeyIsThere = true

  // What the attacker has.
  const stolen = openDesk(app)
  for (const [name, value] of (await signIn(ownersAddress, ownersFirst))!.cookies) stolen.cookies.set(name, value)
  const sessions: DeskBrowser[] = [stolen]
  const passkeys: SoftPasskey[] = []
  const keys: string[] = []
  const links: string[] = []
  const codes: string[] = []
  const passwords = new Set([attackersOwn, everybodys, ...(attackerKnowsPassword ? [ownersFirst] : [])])
  const inside = async (): Promise<DeskBrowser | undefined> => {
    for (const one of sessions.toReversed()) if ((await one.get('/account')).statusCode === 200) return one
    return undefined
  }
  const enter = (browser: DeskBrowser | undefined) => browser && sessions.push(browser)

  const attacker: Record<(typeof attackerActs)[number], () => Promise<unknown>> = {
    'asks for their own address': async () => (await inside())?.post('/account/email', { email: attackersAddress }),
    'confirms their address': async () => {
      const token = lastOf(attackersAddress, 'confirm-new-email')
      if (token) await ((await inside()) ?? openDesk(app)).post('/account/email/confirm', { token })
    },
    'resets by a link they got': async () => {
      const token = lastOf(
        attackersAddress,
        'reset-password',
        'email-change-asked',
        'email-changed',
        'take-account-back',
      )
      if (!token) return
      await openDesk(app).post('/reset-password', { token, password: attackersOwn })
      for (const email of [attackersAddress, ownersAddress]) enter(await signIn(email, attackersOwn))
    },
    'asks for a reset to their address': () => openDesk(app).post('/forgot-password', { email: attackersAddress }),
    'asks for a reset to the owner’s address': () => openDesk(app).post('/forgot-password', { email: ownersAddress }),
    'adds a passkey': async () => {
      const browser = await inside()
      const made = browser && (await addPasskey(browser))
      if (made) passkeys.push(made.passkey)
    },
    'signs in with a passkey': async () => {
      const passkey = passkeys.at(-1)
      if (passkey) enter(await withPasskey(passkey))
    },
    'makes a key': async () => {
      const browser = await inside()
      const { key } = browser ? await makeKey(browser) : { key: undefined }
      if (key) keys.push(key)
    },
    'makes a private link': async () => {
      const browser = await inside()
      const link = browser && (await makeLink(browser, piece.id))
      if (link) links.push(link.url)
    },
    'sets a password': async () => (await inside())?.send('PUT', '/account/password', { password: attackersOwn }),
    'signs in with a password': async () => {
      for (const password of passwords)
        for (const email of [ownersAddress, attackersAddress]) enter(await signIn(email, password))
    },
    'signs everybody else out': async () => (await inside())?.post('/sessions/end-others'),
    'takes their wish back': async () => (await inside())?.send('DELETE', '/account/email'),
    'deletes the owner’s passkey': async () => {
      const browser = await inside()
      const answer = await browser?.send('DELETE', `/passkeys/${ownersPasskey.id}`)
      if (answer?.statusCode === 200) passkeyIsThere = false
    },
    'makes recovery codes': async () => {
      const made = (await (await inside())?.post('/account/recovery-codes'))?.json().codes as string[] | undefined
      if (made) codes.push(...made.slice(0, 2))
    },
    'signs in with a recovery code': async () => {
      const code = codes.at(-1)
      if (code) enter(await withCode(code))
    },
    'publishes a day later by the session they stole': async () => {
      await admin.query(
        "update app.sessions set authenticated_at = now() - interval '13 hours' where token_hash = $1",
        [hashOf(stolen.cookies.get('__Host-desk')!)],
      )
      const { nonce } = (await stolen.post(`/pieces/${piece.id}/preview`)).json()
      if (nonce) await stolen.post(`/pieces/${piece.id}/publish`, { nonce })
      assert.equal((await app.inject(`/p/${piece.id}`)).statusCode, 404, 'published by an old session')
    },
    'deletes the owner’s piece': async () => (await inside())?.send('DELETE', `/pieces/${piece.id}`),
    'deletes the owner’s piece by a key they made': async () => {
      const headers = { authorization: `Bearer ${keys.at(-1)}`, 'if-match': '*' }
      if (keys.length > 0) await app.inject({ method: 'DELETE', url: `/api/v1/pieces/${piece.id}`, headers })
    },
    'asks for the account to be deleted': async () => (await inside())?.send('DELETE', '/account', { name: 'Ada' }),
  }

  const ownersActs: Record<(typeof ownerActs)[number], () => Promise<unknown>> = {
    'signs in': async () => {
      owner = (await signIn(ownersAddress, ownersPassword)) ?? owner
    },
    'changes the password': async () => {
      const answer = await owner?.send('PUT', '/account/password', { password: ownersNew })
      if (answer?.statusCode === 200) ownersPassword = ownersNew
    },
    'signs everybody else out': async () => owner?.post('/sessions/end-others'),
    'keeps the account': async () => {
      const token = lastOf(ownersAddress, 'deletion-asked')
      if (token) await openDesk(app).post('/account/deletion/cancel', { token })
    },
    recovers: async () => {
      await openDesk(app).post('/forgot-password', { email: ownersAddress })
      await deliver()
      const here = openDesk(app)
      const recoverable = ['reset-password', 'email-change-asked', 'email-changed', 'take-account-back']
      const tokens = (received.get(ownersAddress) ?? [])
        .filter(({ letter }) => recoverable.includes(letter))
        .toReversed()
      for (const { token } of tokens) {
        const look = await here.post('/link', { token, opens: 'reset' })
        if (look.statusCode !== 200) continue
        const remove = (look.json().ways_in as { id: string }[]).map(({ id }) => id).filter((id) => !known.has(id))
        for (const password of [everybodys, ownersNew]) {
          const reset = await here.post('/reset-password', { token, password, remove })
          if (reset.statusCode !== 200) continue
          assert.equal(reset.json().email, ownersAddress)
          ownersPassword = password
          return
        }
        assert.fail('the link takes no password')
      }
      assert.fail(`no link that takes the account back among ${tokens.length}`)
    },
  }

  return {
    async play({ who, act }: Act): Promise<void> {
      if (who === 'attacker') await attacker[act]()
      else await ownersActs[act]()
      await deliver()
    },

    async check(): Promise<void> {
      assert.equal(await inside(), undefined, 'a session of the attacker')
      for (const passkey of passkeys) assert.equal(await withPasskey(passkey), undefined, 'a passkey of the attacker')
      for (const code of codes.slice(-4)) assert.equal(await withCode(code), undefined, 'a code of the attacker')
      for (const key of keys) {
        const headers = { authorization: `Bearer ${key}` }
        assert.equal((await app.inject({ url: '/api/v1/pieces/me', headers })).statusCode, 403, 'a key of the attacker')
      }
      for (const link of links)
        assert.notEqual((await app.inject(new URL(link).pathname)).statusCode, 200, 'a private link of the attacker')
      for (const { token, letter } of received.get(attackersAddress) ?? []) {
        const nobody = openDesk(app)
        assert.equal((await nobody.post('/account/email/confirm', { token })).statusCode, 410, `a link of ${letter}`)
        assert.equal((await nobody.post('/link', { token, opens: 'reset' })).statusCode, 410, `a link of ${letter}`)
      }
      for (const password of passwords)
        for (const email of [ownersAddress, attackersAddress])
          assert.equal(await signIn(email, password), undefined, 'a password of the attacker')

      // As if the seven days were over.
      await admin.query('update app.accounts set delete_at = now() where id = $1 and delete_at is not null', [account])
      await deleteDue(worker)
      const back = await signIn(ownersAddress, ownersPassword)
      assert.ok(back, 'the owner signs in')
      const { account: found } = (await back.get('/account')).json()
      assert.deepEqual([found.email, found.email_change, found.passkeys], [ownersAddress, null, passkeyIsThere ? 1 : 0])
      const own = () => back.get(`/pieces/${piece.id}`)
      if ((await own()).statusCode === 404) {
        assert.equal(
          (await back.post(`/trash/${piece.id}/restore`)).statusCode,
          204,
          'the owner’s piece, from the trash',
        )
        ownersLink = undefined
      }
      assert.equal((await own()).json().piece?.headline, 'Mine')
      const headers = { authorization: `Bearer ${ownersKey.key}` }
      assert.equal((await app.inject({ url: '/api/v1/pieces/me', headers })).statusCode, 200, 'the owner’s key')
      if (ownersLink)
        assert.equal((await app.inject(new URL(ownersLink.url).pathname)).statusCode, 200, 'the owner’s private link')
      if (passkeyIsThere) assert.ok(await withPasskey(ownersPasskey.passkey), 'the owner’s passkey')
    },
  }
}

interface Received {
  readonly letter: string
  readonly token: string
}

/** Handles the queued emails of this account and these addresses as a worker would, and sorts their links. */
function deliverEmails(
  admin: pg.Pool,
  worker: Database,
  account: string,
  addresses: readonly string[],
  received: Map<string, Received[]>,
): () => Promise<void> {
  const send: Send = async (to, { template: letter, params }) => {
    const token = (params as { token?: string }).token
    if (token) received.set(to, [...(received.get(to) ?? []), { letter, token }])
  }
  return async () => {
    const { rows } = await admin.query<{ name: string; data: Jobs['account.email'] & Jobs['account.letter'] }>(
      `delete from jobs.job where name in ('account.letter', 'account.email')
          and (data->>'account' = $1 or data->>'email' = any ($2)) returning name, data`,
      [account, addresses],
    )
    for (const { name, data } of rows)
      await (name === 'account.email' ? sendEmailChange(worker, send, data) : sendLinkEmail(worker, send, data))
  }
}

/** The ways to sign in to an account with one of these addresses. */
function waysIn(app: FastifyInstance, addresses: readonly string[]) {
  const signIn = async (email: string, password: string): Promise<DeskBrowser | undefined> => {
    const browser = openDesk(app)
    return (await browser.post('/sign-in', { email, password })).statusCode === 200 ? browser : undefined
  }
  const withPasskey = async (passkey: SoftPasskey): Promise<DeskBrowser | undefined> => {
    const browser = openDesk(app)
    const { options } = (await browser.post('/sign-in/passkey/options')).json()
    const credential = signWithSoftPasskey(passkey, options)
    return (await browser.post('/sign-in/passkey', { credential })).statusCode === 200 ? browser : undefined
  }
  const withCode = async (code: string): Promise<DeskBrowser | undefined> => {
    for (const email of addresses) {
      const browser = openDesk(app)
      if ((await browser.post('/sign-in/recovery-code', { email, code })).statusCode === 200) return browser
    }
    return undefined
  }
  const addPasskey = async (browser: DeskBrowser) => {
    const { options } = (await browser.post('/passkeys/options')).json()
    if (!options) return undefined
    const passkey = makeSoftPasskey(options)
    const answer = await browser.post('/passkeys', { credential: passkey.credential })
    return answer.statusCode === 201 ? { passkey, id: answer.json().id as string } : undefined
  }
  const makeKey = async (browser: DeskBrowser) => (await browser.post('/keys', { name: 'A key' })).json()
  const makeLink = async (browser: DeskBrowser, piece: string) =>
    (await browser.post(`/pieces/${piece}/links`, { days: 7 })).json().link

  return { signIn, withPasskey, withCode, addPasskey, makeKey, makeLink }
}
