import { randomUUID } from 'node:crypto'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeKey, makePiece, makeSeries, makeWriter } from '../../testkit/factories.ts'
import type { SiteUnderProof } from './honest-site.ts'
import { scheduleAtDesk } from './schedules.ts'

/**
 * Restricted acts, tried with well-formed requests by every kind of caller, each time on a new object. The database shows
 * afterwards whether the act was done.
 */

const callers = [
  'nobody',
  'the writer’s key',
  'the writer’s key with every scope',
  'the writer’s revoked key with every scope',
  'another writer’s key with every scope',
  'the writer',
  'another writer',
  'a moderator',
  'another moderator',
] as const
type Caller = (typeof callers)[number]

interface Prepared {
  readonly method: string
  readonly url: string
  readonly body?: object
  /** Checks the database, the answer, or both. */
  isDone(answer: string): Promise<boolean>
}

interface Act {
  readonly name: string
  readonly may: readonly Caller[]
  prepare(): Promise<Prepared>
}

const everyScope = ['pieces:write', 'drafts:read', 'drafts:edit', 'drafts:delete']

export async function judgeActs({ site, app, ask }: SiteUnderProof): Promise<{ asked: number; breaches: string[] }> {
  const { admin, me, other } = site
  const [moderator, another] = [await makeModerator(admin), await makeModerator(admin)]
  const bearer = async (...given: Parameters<typeof makeKey>) => ({
    authorization: `Bearer ${(await makeKey(...given)).key}`,
  })
  const cookie = ({ sessionToken }: { sessionToken: string }) => ({
    cookie: `__Host-desk=${sessionToken}`,
    'sec-fetch-site': 'same-origin',
  })
  const headers: Record<Caller, Record<string, string>> = {
    nobody: { 'sec-fetch-site': 'same-origin' },
    'the writer’s key': await bearer(admin, me),
    'the writer’s key with every scope': await bearer(admin, me, { scopes: everyScope }),
    'the writer’s revoked key with every scope': await bearer(admin, me, { scopes: everyScope, revoked: true }),
    'another writer’s key with every scope': await bearer(admin, other, { scopes: everyScope }),
    'the writer': cookie(me),
    'another writer': cookie(other),
    'a moderator': cookie(moderator),
    'another moderator': cookie(another),
  }
  const breaches: string[] = []
  let asked = 0
  for (const act of acts({ site, app, moderator })) {
    for (const caller of callers) {
      const { isDone, body, ...request } = await act.prepare()
      const answer = await ask({
        ...request,
        headers: { 'if-match': '*', ...(body ? { 'content-type': 'application/json' } : {}), ...headers[caller] },
        ...(body ? { payload: JSON.stringify(body) } : {}),
      })
      asked += 1
      const [done, may] = [await isDone(answer.body), act.may.includes(caller)]
      if (done !== may)
        breaches.push(`${act.name}: ${caller} ${may ? 'may, and was refused' : 'may not, and did'}: ${answer.body}`)
      if (answer.statusCode >= 500)
        breaches.push(`${act.name} by ${caller} answered ${answer.statusCode}: ${answer.body}`)
    }
  }
  return { asked, breaches }
}

const act = (name: string, may: readonly Caller[], prepare: Act['prepare']): Act => ({ name, may, prepare })

function acts({ site, app, moderator }: Pick<SiteUnderProof, 'site' | 'app'> & { moderator: Writer }): Act[] {
  const { admin, me, other } = site
  const [mine, theirs, review] = [deskOf(app, me), deskOf(app, other), deskOf(app, moderator)]
  const draft = () => mine.begin({ headline: 'A draft', body_md: 'As it was.' })
  const oldPost = {
    draft: { headline: 'An old post', body_md: 'As it was.' },
    service: 'ghost',
    date: '2015-03-12T08:30:00Z',
    notes: [],
  }
  const importedDraft = async () => {
    const id = randomUUID()
    await accepted(mine.ask('PUT', `imports/${id}`, oldPost))
    return id
  }
  const found = async (sql: string, id: string) => Boolean((await admin.query(sql, [id])).rowCount)
  const inTrash = (id: string) => found('select from app.pieces where id = $1 and deleted_at is not null', id)
  const trashed = async () => {
    const id = await draft()
    const { statusCode, body } = await mine.ask('DELETE', `pieces/${id}`, undefined, { 'if-match': '*' })
    if (statusCode !== 204) throw new Error(`the desk cannot delete a draft: ${body}`)
    return id
  }
  const accepted = async (answer: ReturnType<typeof review.ask>) => {
    const { statusCode, body } = await answer
    if (statusCode !== 200) throw new Error(`a moderator cannot do it: ${body}`)
    return JSON.parse(body)
  }
  const welcome = (text: string) => accepted(mine.ask('PUT', 'followers/welcome', { text }))
  const followerExports = async (): Promise<number> =>
    (
      await admin.query("select from app.security_events where account_id = $1 and act = 'followers_exported'", [
        me.accountId,
      ])
    ).rowCount!
  const listed = async (): Promise<string> => {
    const file = Buffer.from('email,consent date\nreader@list.test,2024-01-02\n')
    const answer = await mine.ask('POST', 'followers/imports', file, { 'content-type': 'text/csv' })
    if (answer.statusCode !== 201) throw new Error(`the writer cannot upload a list: ${answer.body}`)
    return answer.json().id
  }
  const live = async () => {
    const id = await draft()
    await accepted(mine.act('publish', id))
    return id
  }
  const invited = async () => {
    const id = await draft()
    await admin.query('insert into app.co_authors (piece_id, writer_id, invited_by, position) values ($1, $2, $3, 1)', [
      id,
      other.id,
      me.id,
    ])
    return id
  }
  const agreed = async () => {
    const id = await invited()
    await accepted(theirs.ask('POST', `co-authors/${id}/answer`, { agreed: true }))
    return id
  }
  const left = async () => {
    const id = await agreed()
    await accepted(mine.ask('PUT', `pieces/${id}/co-authors`, { authors: [] }))
    return id
  }
  const commenting = (id: string) => ({
    method: 'PUT',
    url: `/desk/api/pieces/${id}/comments/${randomUUID()}`,
    body: { body: 'Why?' },
    isDone: () => found('select from app.comments where piece_id = $1', id),
  })
  const published = (writer: Writer) => makePiece(admin, writer, { headline: 'Public' })
  const isPublic = (id: string) => found('select from pub.pieces where id = $1', id)
  const takenDown = async () => {
    const id = await draft()
    await accepted(mine.act('publish', id))
    const { decision } = await accepted(
      review.ask('POST', `review/${id}/take-down`, { category: 'spam', reason: 'Spam.', to: 'rejected' }),
    )
    return { id, decision: String(decision) }
  }
  const appealed = async () => {
    const { id, decision } = await takenDown()
    await accepted(mine.ask('POST', `decisions/${decision}/appeal`, { text: 'It is mine.' }))
    return { id, decision }
  }
  const deciding = (decision: string, outcome: string) => ({
    method: 'POST',
    url: `/desk/api/review/decisions/${decision}/decide`,
    body: { outcome, reason: 'I looked.' },
  })

  return [
    act('deleting a person’s draft by key', ['the writer’s key with every scope'], async () => {
      const id = await draft()
      return { method: 'DELETE', url: `/api/v1/pieces/${id}`, isDone: () => inTrash(id) }
    }),
    act('reading a person’s draft by key', ['the writer’s key with every scope'], async () => {
      const id = await draft()
      return { method: 'GET', url: `/api/v1/pieces/${id}`, isDone: async (answer) => answer.includes('As it was.') }
    }),
    act('changing a person’s draft by key', ['the writer’s key with every scope'], async () => {
      const id = await draft()
      const isDone = () => found("select from app.pieces where id = $1 and body_md = 'Changed.'", id)
      return { method: 'PATCH', url: `/api/v1/pieces/${id}`, body: { body_md: 'Changed.' }, isDone }
    }),
    act('deleting a draft at the desk', ['the writer'], async () => {
      const id = await draft()
      return { method: 'DELETE', url: `/desk/api/pieces/${id}`, isDone: () => inTrash(id) }
    }),
    act('inviting a co-author', ['the writer'], async () => {
      const id = await draft()
      const isDone = () => found('select from app.co_authors where piece_id = $1', id)
      return { method: 'PUT', url: `/desk/api/pieces/${id}/co-authors`, body: { authors: [other.slug] }, isDone }
    }),
    act('reading who is a co-author', ['the writer'], async () => {
      const url = `/desk/api/pieces/${await draft()}/co-authors`
      return { method: 'GET', url, isDone: async (answer) => answer.includes('"authors"') }
    }),
    act('agreeing as an invited co-author', ['another writer'], async () => {
      const id = await invited()
      const isDone = () => found("select from app.co_authors where piece_id = $1 and answer = 'agreed'", id)
      return { method: 'POST', url: `/desk/api/co-authors/${id}/answer`, body: { agreed: true }, isDone }
    }),
    act('reading what one is invited to sign', ['another writer'], async () => {
      const id = await invited()
      return { method: 'GET', url: '/desk/api/co-authors', isDone: async (answer) => answer.includes(id) }
    }),
    act('reading series', ['the writer'], async () => {
      await makeSeries(admin, me, 'A series to read', [await draft()])
      return { method: 'GET', url: '/desk/api/series', isDone: async (answer) => answer.includes('A series to read') }
    }),
    act('changing a series', ['the writer'], async () => {
      const piece = await live()
      const id = await makeSeries(admin, me, 'As it was', [piece])
      const body = { title: 'Changed', description: null, pieces: [piece], revision: 1 }
      const isDone = () => found("select from pub.series where id = $1 and title = 'Changed'", id)
      return { method: 'PUT', url: `/desk/api/series/${id}`, body, isDone }
    }),
    act('putting a writer’s piece in a new series', ['the writer'], async () => {
      const piece = await live()
      const body = { title: 'Mine', description: null, pieces: [piece], revision: null }
      const isDone = () => found('select from pub.series_pieces where piece_id = $1', piece)
      return { method: 'PUT', url: `/desk/api/series/${randomUUID()}`, body, isDone }
    }),
    act('deleting a series', ['the writer'], async () => {
      const id = await makeSeries(admin, me, 'To be deleted', [await live()])
      const isDone = async () => !(await found('select from pub.series where id = $1', id))
      return { method: 'DELETE', url: `/desk/api/series/${id}`, isDone }
    }),
    act('reading the welcome for new followers', ['the writer'], async () => {
      await welcome('A welcome to read')
      const isDone = async (answer: string) => answer.includes('A welcome to read')
      return { method: 'GET', url: '/desk/api/followers', isDone }
    }),
    act('changing the welcome for new followers', ['the writer'], async () => {
      await welcome('As it was')
      const isDone = () => found("select from app.welcomes where writer_id = $1 and text = 'Changed'", me.id)
      return { method: 'PUT', url: '/desk/api/followers/welcome', body: { text: 'Changed' }, isDone }
    }),
    act('downloading the list of followers', ['the writer'], async () => {
      const before = await followerExports()
      const isDone = async () => (await followerExports()) > before
      return { method: 'GET', url: '/desk/api/followers.csv', isDone }
    }),
    act('importing a list of followers', ['the writer'], async () => {
      const id = await listed()
      const isDone = () => found('select from app.follower_imports where id = $1 and agreed_at is not null', id)
      return { method: 'POST', url: `/desk/api/followers/imports/${id}/agree`, isDone }
    }),
    act('scheduling a draft with the nonce that its writer was shown', ['the writer'], async () => {
      const id = await draft()
      const { nonce } = await accepted(mine.ask('POST', `pieces/${id}/preview`))
      const body = { nonce, at: new Date(Date.now() + 3_600_000).toISOString() }
      const isDone = () => found('select from app.schedules where piece_id = $1', id)
      return { method: 'POST', url: `/desk/api/pieces/${id}/schedule`, body, isDone }
    }),
    act('cancelling a schedule', ['the writer'], async () => {
      const id = await draft()
      await scheduleAtDesk(mine, id)
      const isDone = async () => !(await found('select from app.schedules where piece_id = $1', id))
      return { method: 'DELETE', url: `/desk/api/pieces/${id}/schedule`, isDone }
    }),
    act('importing a draft with its date', ['the writer'], async () => {
      const id = randomUUID()
      const isDone = () => found(`select from app.imports where piece_id = $1 and writer_id = '${me.id}'`, id)
      return { method: 'PUT', url: `/desk/api/imports/${id}`, body: oldPost, isDone }
    }),
    act('confirming an import', ['the writer'], async () => {
      const id = await importedDraft()
      const isDone = () => found('select from app.imports where piece_id = $1 and confirmed_at is not null', id)
      return { method: 'POST', url: '/desk/api/imports/confirm', body: { pieces: [{ id, revision: 1 }] }, isDone }
    }),
    act('publishing an import that its writer has confirmed', ['the writer'], async () => {
      const id = await importedDraft()
      await accepted(mine.ask('POST', 'imports/confirm', { pieces: [{ id, revision: 1 }] }))
      return { method: 'POST', url: `/desk/api/imports/${id}/publish`, isDone: () => isPublic(id) }
    }),
    act('publishing an import that nobody has confirmed', [], async () => {
      const id = await importedDraft()
      return { method: 'POST', url: `/desk/api/imports/${id}/publish`, isDone: () => isPublic(id) }
    }),
    act('reading the trash', ['the writer'], async () => {
      const id = await trashed()
      return { method: 'GET', url: '/desk/api/trash', isDone: async (answer) => answer.includes(id) }
    }),
    act('restoring from the trash', ['the writer'], async () => {
      const id = await trashed()
      return { method: 'POST', url: `/desk/api/trash/${id}/restore`, isDone: async () => !(await inTrash(id)) }
    }),
    act('deleting for good', ['the writer'], async () => {
      const id = await trashed()
      return { method: 'DELETE', url: `/desk/api/trash/${id}`, isDone: async () => !(await inTrash(id)) }
    }),
    act('emptying the trash', ['the writer'], async () => {
      const id = await trashed()
      return { method: 'DELETE', url: '/desk/api/trash', isDone: async () => !(await inTrash(id)) }
    }),
    act('reading the comments on a draft', ['the writer'], async () => {
      const id = await draft()
      await accepted(mine.ask('PUT', `pieces/${id}/comments/${randomUUID()}`, { body: 'Between us.' }))
      const url = `/desk/api/pieces/${id}/comments`
      return { method: 'GET', url, isDone: async (answer) => answer.includes('Between us.') }
    }),
    act('commenting on a draft', ['the writer'], async () => commenting(await draft())),
    act('commenting on a draft that another is invited to sign', ['the writer'], async () =>
      commenting(await invited()),
    ),
    act('commenting on a draft with a co-author who agreed', ['the writer', 'another writer'], async () =>
      commenting(await agreed()),
    ),
    act('commenting on a draft that a co-author was removed from', ['the writer'], async () =>
      commenting(await left()),
    ),
    act('reading a draft as a co-author who agreed', ['another writer'], async () => {
      const url = `/desk/api/co-authors/${await agreed()}`
      return { method: 'GET', url, isDone: async (answer) => answer.includes('As it was.') }
    }),
    act('reading a draft as an invited co-author who has not agreed, by its Markdown', [], async () => {
      const url = `/desk/api/co-authors/${await invited()}`
      return { method: 'GET', url, isDone: async (answer) => answer.includes('As it was.') }
    }),
    act('reading a draft as a co-author who was removed', [], async () => {
      const url = `/desk/api/co-authors/${await left()}`
      return { method: 'GET', url, isDone: async (answer) => answer.includes('As it was.') }
    }),
    act('commenting on a piece that waits for review', ['the writer', 'a moderator', 'another moderator'], async () => {
      const id = await draft()
      await accepted(mine.act('submit', id))
      return commenting(id)
    }),
    act('resolving a comment of the writer', ['the writer'], async () => {
      const [id, comment] = [await agreed(), randomUUID()]
      await accepted(mine.ask('PUT', `pieces/${id}/comments/${comment}`, { body: 'Why?' }))
      const url = `/desk/api/pieces/${id}/comments/${comment}/settle`
      const isDone = () => found('select from app.comments where id = $1 and resolved_at is not null', comment)
      return { method: 'POST', url, body: { resolved: true }, isDone }
    }),
    act('deleting a comment of the writer', ['the writer'], async () => {
      const [id, comment] = [await agreed(), randomUUID()]
      await accepted(mine.ask('PUT', `pieces/${id}/comments/${comment}`, { body: 'Why?' }))
      const url = `/desk/api/pieces/${id}/comments/${comment}`
      return {
        method: 'DELETE',
        url,
        isDone: async () => !(await found('select from app.comments where id = $1', comment)),
      }
    }),
    act('suspending a writer', ['a moderator', 'another moderator'], async () => {
      const writer = await makeWriter(admin)
      const id = await published(writer)
      const url = `/desk/api/review/writers/${writer.slug}/suspend`
      return { method: 'POST', url, body: { reason: 'Spam.' }, isDone: async () => !(await isPublic(id)) }
    }),
    act('bringing a suspended writer back', ['a moderator', 'another moderator'], async () => {
      const writer = await makeWriter(admin)
      const id = await published(writer)
      await accepted(review.ask('POST', `review/writers/${writer.slug}/suspend`, { reason: 'Spam.' }))
      const url = `/desk/api/review/writers/${writer.slug}/restore`
      return { method: 'POST', url, body: { reason: 'A mistake.' }, isDone: () => isPublic(id) }
    }),
    act('appealing a decision', ['the writer'], async () => {
      const { decision } = await takenDown()
      const isDone = () => found('select from app.decisions where id = $1 and appealed_at is not null', decision)
      return { method: 'POST', url: `/desk/api/decisions/${decision}/appeal`, body: { text: 'It is mine.' }, isDone }
    }),
    act('upholding a decision that was appealed', ['another moderator'], async () => {
      const { decision } = await appealed()
      const isDone = () => found("select from app.decisions where id = $1 and outcome = 'upheld'", decision)
      return { ...deciding(decision, 'upheld'), isDone }
    }),
    act('reversing a decision that was appealed', ['another moderator'], async () => {
      const { id, decision } = await appealed()
      return { ...deciding(decision, 'reversed'), isDone: () => isPublic(id) }
    }),
  ]
}

type Writer = Awaited<ReturnType<typeof makeWriter>>
