import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeKey, makePiece, makeProduct, makeWriter } from '../../testkit/factories.ts'
import { appealsSite } from './appeals.ts'

/** Who may do what with reports, decisions and appeals: every act by every kind of caller. */

const site = await appealsSite()
const { admin, app, ada, first, ok } = site

const other = await makeWriter(admin)
const key = await makeKey(admin, ada)
const administrator = await makeModerator(admin)
await admin.query("update app.accounts set role = 'operator' where id = $1", [administrator.accountId])

const cookie = (person: { sessionToken: string }) => ({ cookie: `__Host-desk=${person.sessionToken}` })
const callers = {
  anonymous: {},
  'a key': { authorization: `Bearer ${key.key}` },
  'the writer': cookie(ada),
  'another writer': cookie(other),
  'the moderator who decided': cookie(site.mo),
  'another moderator': cookie(site.kim),
  'an administrator': cookie(administrator),
} as const
type Caller = keyof typeof callers

/** Each act has its own object, so that no caller sees what another did. */
interface Act {
  readonly method: 'GET' | 'POST'
  prepare(): Promise<string>
  readonly payload?: object
  /** The status each caller gets; 200 unless said otherwise. */
  readonly answers: Readonly<Record<Caller, number>>
}

const outside = { anonymous: 401, 'a key': 400 } as const
const moderatorsOnly = {
  ...outside,
  'the writer': 403,
  'another writer': 403,
  'the moderator who decided': 200,
  'another moderator': 200,
  'an administrator': 200,
} as const
const othersDecide = { ...moderatorsOnly, 'the moderator who decided': 403 } as const
const writerOnly = {
  ...outside,
  'the writer': 200,
  'another writer': 404,
  'the moderator who decided': 404,
  'another moderator': 404,
  'an administrator': 404,
} as const

const decided = async () => (await site.takenDown()).decision
const appealed = async () => {
  const decision = await decided()
  await ok(site.appeal(decision))
  return decision
}
const reportedPiece = async () => {
  const id = await makePiece(admin, ada)
  await site.report(id)
  return id
}
const reportedListing = async () => {
  const id = await makeProduct(admin, ada)
  await site.report(`listing/${id}`)
  return id
}
const reason = 'I looked.'

const acts: Readonly<Record<string, Act>> = {
  'read the queue of reports': {
    method: 'GET',
    prepare: async () => 'reports?category=illegal',
    answers: moderatorsOnly,
  },
  'dismiss the reports of a piece': {
    method: 'POST',
    prepare: async () => `reports/${await reportedPiece()}/dismiss`,
    answers: moderatorsOnly,
  },
  'dismiss the reports of a listing': {
    method: 'POST',
    prepare: async () => `reports/listings/${await reportedListing()}/dismiss`,
    answers: moderatorsOnly,
  },
  'take a piece down': {
    method: 'POST',
    prepare: async () => `review/${await reportedPiece()}/take-down`,
    payload: { category: 'spam', reason, to: 'rejected' },
    answers: moderatorsOnly,
  },
  'take a listing out of the shop': {
    method: 'POST',
    prepare: async () => `review/listings/${await reportedListing()}/take-down`,
    payload: { category: 'spam', reason },
    answers: moderatorsOnly,
  },
  'read decisions as a moderator': {
    method: 'GET',
    prepare: async () => 'review/decisions?list=appeals',
    answers: moderatorsOnly,
  },
  'read one decision as a moderator': {
    method: 'GET',
    prepare: async () => `review/decisions/${await appealed()}`,
    answers: moderatorsOnly,
  },
  'reverse a decision that nobody appealed': {
    method: 'POST',
    prepare: async () => `review/decisions/${await decided()}/decide`,
    payload: { outcome: 'reversed', reason },
    answers: moderatorsOnly,
  },
  'uphold an appealed decision': {
    method: 'POST',
    prepare: async () => `review/decisions/${await appealed()}/decide`,
    payload: { outcome: 'upheld', reason },
    answers: othersDecide,
  },
  'reverse an appealed decision': {
    method: 'POST',
    prepare: async () => `review/decisions/${await appealed()}/decide`,
    payload: { outcome: 'reversed', reason },
    answers: othersDecide,
  },
  'read a decision about one’s work': {
    method: 'GET',
    prepare: async () => `decisions/${await decided()}`,
    answers: writerOnly,
  },
  appeal: {
    method: 'POST',
    prepare: async () => `decisions/${await decided()}/appeal`,
    payload: { text: 'It is mine.' },
    answers: writerOnly,
  },
}

for (const [name, { method, prepare, payload, answers }] of Object.entries(acts)) {
  describe(name, () => {
    for (const [caller, status] of Object.entries(answers)) {
      test(`${caller}: ${status}`, async () => {
        const { statusCode, body } = await app.inject({
          method,
          url: `/desk/api/${await prepare()}`,
          headers: { 'sec-fetch-site': 'same-origin', ...callers[caller as Caller] },
          ...(payload ? { payload } : {}),
        })
        assert.equal(statusCode, status, body)
      })
    }
  })
}

test('anybody reports, signed in or not, and a key does not', async () => {
  for (const [caller, headers] of Object.entries(callers)) {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: `/desk/report/${await makePiece(admin, ada)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
      payload: 'reason=spam',
    })
    assert.equal(statusCode, caller === 'a key' ? 400 : 303, caller)
  }
})

test('a list of one’s own decisions holds those alone', async () => {
  const mine = (await ok(site.writer.ask('GET', 'decisions'))).decisions
  assert.ok(mine.length > 0)
  for (const person of [other, administrator]) {
    assert.deepEqual((await ok(deskOf(app, person).ask('GET', 'decisions'))).decisions, [])
  }
  assert.deepEqual((await ok(first.ask('GET', 'decisions'))).decisions, [])
})
