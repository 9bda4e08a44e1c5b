import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sweepDecisions } from '../../server/features/moderation/decisions.ts'
import { deskOf, makeModerator, makePieceByActs } from '../../testkit/desk.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { appealsSite } from './appeals.ts'

/** Statements of reasons, and appeals that another moderator decides. */

const site = await appealsSite()
const { admin, app, ada, mo, writer, first, second, ok, report, takenDown, listingTakenDown } = site
const { appeal, decide, emails, emailOf, isPublic } = site

const mine = async (decision: string) => (await ok(writer.ask('GET', `decisions/${decision}`))).decision
const statusOf = async (id: string): Promise<string> => (await ok(writer.ask('GET', `pieces/${id}`))).piece.status
const refusal = async (answer: ReturnType<typeof appeal>) => {
  const { statusCode, json } = await answer
  return [statusCode, json().reason]
}

describe('a statement of reasons', () => {
  test('says what was decided, by which rule, on which facts, whether by report, and how to appeal', async () => {
    const id = await makePiece(admin, ada, { headline: 'On tea' })
    await report(id, { note: 'Stolen.', email: 'kim@reader.test' })
    const given = { category: 'copyright', reason: 'It is chapter two of a book.', to: 'rejected' }
    const { decision } = await ok(first.act('take_down', id, given))
    const { at, appeal_until, ...said } = await mine(decision)
    assert.deepEqual(said, {
      id: decision,
      act: 'take_down',
      about: { kind: 'piece', id, headline: 'On tea' },
      to_status: 'rejected',
      category: 'copyright',
      rule: 'Copyright. It uses someone else’s work without permission.',
      facts: 'It is chapter two of a book.',
      by_report: true,
      automated: false,
      appeal: null,
      outcome: null,
      answer: null,
      decided_at: null,
      can_appeal: true,
    })
    const months = (new Date(appeal_until).getTime() - new Date(at).getTime()) / 86_400_000 / 30.4
    assert.ok(months > 5.9 && months < 6.1, `${months}`)
    const sent = await emails()
    assert.deepEqual(
      sent.map(({ to, subject }) => [to, subject]),
      [[await emailOf(ada), '“On tea” was taken down']],
    )
    for (const words of [
      /“On tea”/,
      /Copyright\. It uses someone else’s work/,
      /“It is chapter two of a book\.”/,
      /This decision followed a report/,
      /A person made it, not software/,
      /You can appeal once, until/,
      new RegExp(`https://site\\.test/desk/decisions/${decision}`),
    ])
      assert.match(sent[0]!.text, words)
    assert.doesNotMatch(sent[0]!.text, /reader\.test|Stolen|A body/, 'neither who reported nor the text')
  })

  test('is given for a rejection and for a listing too, and says when no report led to it', async () => {
    const id = await makePieceByActs('pending', writer, first)
    const given = { category: 'editorial', reason: 'We publish no recipes.' }
    const rejected = await mine((await ok(first.act('reject', id, given))).decision)
    assert.deepEqual(
      [rejected.act, rejected.to_status, rejected.category, rejected.by_report],
      ['reject', 'rejected', 'editorial', false],
    )
    const { id: listing, decision } = await listingTakenDown('A sofa')
    const withheld = await mine(decision)
    assert.deepEqual(
      [withheld.act, withheld.about, withheld.facts],
      ['withhold', { kind: 'listing', id: listing, headline: 'A sofa' }, 'It does not exist.'],
    )
    assert.deepEqual((await emails()).map(({ subject }) => subject).sort(), [
      '“A piece that is pending” was not accepted',
      '“A sofa” was removed from the shop',
    ])
    const about = await ok(writer.ask('GET', `decisions?about=${listing}`))
    assert.deepEqual(
      about.decisions.map((one: { id: string }) => one.id),
      [decision],
    )
  })

  test('is read by its writer alone, and never names the moderator', async () => {
    const { decision } = await takenDown()
    const other = deskOf(app, await makeWriter(admin))
    assert.deepEqual(await refusal(other.ask('GET', `decisions/${decision}`)), [404, 'not_found'])
    assert.deepEqual((await ok(other.ask('GET', 'decisions'))).decisions, [])
    const { rows } = await admin.query('select name from app.writers where id = $1', [mo.id])
    assert.ok(!JSON.stringify(await mine(decision)).includes(rows[0].name))
    assert.deepEqual(await refusal(writer.ask('GET', 'decisions/nonsense')), [404, 'not_found'])
  })

  test('goes with no other email: no job can order one that quotes', async () => {
    const { readPayload } = await import('../../server/features/jobs.ts')
    const to = { account: ada.accountId }
    assert.ok(readPayload('mail', { to, template: 'writer-restored', params: {} }))
    for (const template of ['decision', 'decision-reviewed', 'appeal-decided', 'approved', 'changes-requested'])
      assert.ok(!readPayload('mail', { to, template, params: {} }), template)
  })
})

describe('an appeal', () => {
  test('that is upheld leaves all as it is; the writer and the first moderator are told why', async () => {
    const { id, decision } = await takenDown()
    await emails()
    const appealed = (await ok(appeal(decision, 'The book is mine.'))).decision
    assert.deepEqual([appealed.appeal.text, appealed.can_appeal], ['The book is mine.', false])
    const waiting = (await ok(second.ask('GET', 'review/decisions?list=appeals'))).decisions
    assert.deepEqual(
      waiting.map((one: { id: string; appeal: { text: string }; is_mine: boolean }) => [
        one.id,
        one.appeal.text,
        one.is_mine,
      ]),
      [[decision, 'The book is mine.', false]],
    )
    const shown = await ok(second.ask('GET', `review/decisions/${decision}`))
    assert.match(shown.content.html, /<p>/)
    assert.deepEqual(await ok(decide(decision, 'upheld', second, 'It is not.')), {
      ok: true,
      id: decision,
      outcome: 'upheld',
      is_public: false,
    })
    assert.equal(await isPublic(id), false)
    assert.equal(await statusOf(id), 'changes_requested')
    const after = await mine(decision)
    assert.deepEqual([after.outcome, after.answer], ['upheld', 'It is not.'])
    const sent = await emails()
    assert.deepEqual(
      sent.map(({ to, subject }) => [to, subject]).sort(),
      [
        [await emailOf(ada), 'Decision on “On tea” upheld'],
        [await emailOf(mo), 'Your decision on “On tea” was upheld'],
      ].sort(),
    )
    for (const { text } of sent) assert.match(text, /“It is not\.”/)
    assert.deepEqual((await ok(second.ask('GET', 'review/decisions?list=appeals'))).decisions, [])
  })

  test('that reverses brings the piece back as it was: text, dates, receipt, and no need of review', async () => {
    const id = await writer.begin({ headline: 'Exactly so', body_md: 'A body.' })
    await ok(writer.act('publish', id))
    await writer.ask('PATCH', `pieces/${id}`, { headline: 'Not published yet' }, { 'if-match': '*' })
    const { pathname } = new URL((await ok(writer.ask('GET', `pieces/${id}`))).piece.url)
    const seen = async () => ({
      piece: (await app.inject(`/api/public/pieces/${id}`)).json(),
      page: (await app.inject(pathname)).body,
      receipt: (await admin.query('select * from pub.receipts where piece_id = $1', [id])).rows,
      writer: (await admin.query('select pieces_count, last_published_at from pub.authors where id = $1', [ada.id]))
        .rows,
      search: (await admin.query('select * from pub.piece_texts where piece_id = $1', [id])).rows,
    })
    const before = await seen()
    assert.deepEqual([before.piece.ok, before.receipt.length, before.search.length], [true, 1, 1])
    const { decision } = await ok(first.act('take_down', id))
    assert.equal(await isPublic(id), false)
    await ok(appeal(decision))
    const purges = "select count(*)::int as n from jobs.job where name = 'cache.purge'"
    const ordered = (await admin.query(purges)).rows[0].n
    assert.equal((await ok(decide(decision, 'reversed'))).is_public, true)
    assert.deepEqual(await seen(), before)
    assert.equal((await admin.query(purges)).rows[0].n, ordered + 1)
    const { piece } = await ok(writer.ask('GET', `pieces/${id}`))
    assert.deepEqual(
      [piece.status, piece.has_unpublished_changes, piece.headline],
      ['approved', true, 'Not published yet'],
    )
    await ok(writer.act('update', id))
  })

  test('that reverses tells the webhook nothing it was told before, and what it was never told', async () => {
    const hooked = await makeWriter(admin)
    const desk = deskOf(app, hooked)
    await admin.query(
      `insert into app.webhooks (writer_id, url, state, secret, secret_hint, live_since, proven_at)
       values ($1, 'https://hook.example.org/', 'live', sha256('x'), '…', now(), now())`,
      [hooked.id],
    )
    const [notified, unnotified] = [await desk.begin(), await desk.begin()]
    for (const id of [notified, unnotified]) await ok(desk.act('publish', id))
    await admin.query("update app.deliveries set state = 'delivered', ended_at = now() where piece_id = $1", [notified])
    for (const id of [notified, unnotified]) {
      const { decision } = await ok(first.act('take_down', id))
      await ok(appeal(decision, 'Mine.', desk))
      assert.equal((await ok(decide(decision, 'reversed'))).is_public, true)
    }
    const deliveries = async (id: string) =>
      (await admin.query('select state from app.deliveries where piece_id = $1 order by id', [id])).rows.map(
        ({ state }) => state,
      )
    assert.deepEqual(await deliveries(notified), ['delivered'])
    assert.deepEqual((await deliveries(unnotified)).sort(), ['cancelled', 'pending'])
  })

  test('that two moderators decide at once is decided by one of them', async () => {
    const { id, decision } = await takenDown()
    await ok(appeal(decision))
    const third = deskOf(app, await makeModerator(admin))
    const both = await Promise.all([decide(decision, 'reversed'), decide(decision, 'upheld', third)])
    assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [200, 409])
    assert.equal(await isPublic(id), both[0]!.statusCode === 200)
  })

  test('that reverses a rejection puts the piece before the moderators again', async () => {
    const id = await makePieceByActs('pending', writer, first)
    const { decision } = await ok(first.act('reject', id))
    const { content } = await ok(second.ask('GET', `review/decisions/${decision}`))
    assert.equal(content.body_md, 'A body.')
    await ok(appeal(decision))
    assert.equal((await ok(decide(decision, 'reversed'))).is_public, false)
    assert.equal(await statusOf(id), 'pending')
    await ok(second.act('approve', id))
  })

  test('that reverses puts a listing into the shop again, as it was', async () => {
    const { decision, slug, id } = await listingTakenDown('A clock')
    const { payment_url } = (await ok(second.ask('GET', `review/decisions/${decision}`))).content
    assert.match(payment_url, /^https:/)
    assert.equal((await app.inject(`/shop/${slug}`)).statusCode, 404)
    assert.match((await ok(writer.ask('GET', `products/${id}`))).product.withheld, /does not exist/)
    await ok(appeal(decision))
    assert.equal((await ok(decide(decision, 'reversed'))).is_public, true)
    assert.equal((await app.inject(`/shop/${slug}`)).statusCode, 200)
    const { product } = await ok(writer.ask('GET', `products/${id}`))
    assert.deepEqual([product.status, product.withheld, product.has_unpublished_changes], ['listed', null, false])
  })

  test('is decided by somebody else: the moderator who decided is refused, by the database itself', async () => {
    const { decision } = await takenDown()
    await ok(appeal(decision))
    const refused = await decide(decision, 'reversed', first)
    assert.deepEqual([refused.statusCode, refused.json().reason], [403, 'forbidden'])
    assert.match(refused.json().detail, /another moderator, or the operator with “standfirst appeal”/)
    await assert.rejects(
      admin.query(
        "update app.decisions set outcome = 'upheld', answer = 'So.', decided_at = now(), decided_by = $2 where id = $1",
        [decision, mo.accountId],
      ),
      { constraint: 'another_decides_the_appeal' },
    )
    const waiting = (await ok(first.ask('GET', 'review/decisions?list=appeals'))).decisions
    assert.ok(waiting.some(({ id, is_mine }: { id: string; is_mine: boolean }) => id === decision && is_mine))
    await ok(decide(decision, 'upheld'))
  })

  test('is made once, within six months, by the writer', async () => {
    const { decision } = await takenDown()
    const other = deskOf(app, await makeWriter(admin))
    assert.deepEqual(await refusal(appeal(decision, 'Mine.', other)), [404, 'not_found'])
    assert.deepEqual(await refusal(appeal(decision, '')), [400, 'validation_failed'])
    const twice = await Promise.all([appeal(decision), appeal(decision)])
    assert.deepEqual(twice.map(({ statusCode }) => statusCode).sort(), [200, 409])
    await ok(decide(decision, 'upheld'))
    assert.deepEqual(await refusal(appeal(decision)), [409, 'illegal_transition'])
    assert.deepEqual(await refusal(decide(decision, 'reversed')), [409, 'illegal_transition'])

    const old = await takenDown()
    await admin.query("update app.decisions set at = at - interval '6 months 1 hour' where id = $1", [old.decision])
    assert.deepEqual(await refusal(appeal(old.decision)), [410, 'expired'])
    assert.equal((await mine(old.decision)).can_appeal, false)
  })

  test('needs a recent sign-in of the moderator who decides it', async () => {
    const { decision } = await takenDown()
    await ok(appeal(decision))
    const third = await makeModerator(admin)
    await admin.query("update app.sessions set authenticated_at = now() - interval '13 hours' where id = $1", [
      third.sessionId,
    ])
    assert.deepEqual(await refusal(decide(decision, 'upheld', deskOf(app, third))), [403, 'fresh_sign_in_required'])
    assert.deepEqual(await refusal(decide(decision, 'upheld', writer)), [403, 'forbidden'])
    await ok(decide(decision, 'upheld'))
  })

  test('on the work of a moderator is hidden from them and not theirs to decide', async () => {
    const both = await makeModerator(admin)
    const theirs = deskOf(app, both)
    const id = await makePiece(admin, both)
    const { decision } = await ok(first.act('take_down', id))
    await ok(appeal(decision, 'Mine.', theirs))
    const { decisions } = await ok(theirs.ask('GET', 'review/decisions?list=appeals'))
    assert.deepEqual(decisions, [])
    assert.deepEqual(await refusal(theirs.ask('GET', `review/decisions/${decision}`)), [404, 'not_found'])
    assert.deepEqual(await refusal(decide(decision, 'reversed', theirs)), [403, 'forbidden'])
    await ok(decide(decision, 'upheld'))
  })

  test('that is reversed after its writer has done something else with the piece leaves that as it is', async () => {
    const { id, decision } = await takenDown()
    await ok(appeal(decision))
    await ok(writer.act('resubmit', id))
    await ok(second.act('approve', id))
    await ok(writer.act('unpublish', id))
    assert.equal((await ok(decide(decision, 'reversed'))).is_public, false)
    assert.equal(await statusOf(id), 'draft')

    const again = await takenDown()
    await ok(appeal(again.decision))
    await ok(writer.act('withdraw', again.id))
    assert.equal((await ok(decide(again.decision, 'reversed'))).is_public, true, 'a draft of it is not in the way')
    assert.equal(await statusOf(again.id), 'approved')
  })

  test('is in the trail, for the writer and for moderators', async () => {
    const { id, decision } = await takenDown()
    await ok(appeal(decision))
    await ok(decide(decision, 'reversed', second, 'It was free to use.'))
    const { deeds } = await ok(writer.ask('GET', `pieces/${id}/history`))
    assert.deepEqual(
      deeds.slice(0, 3).map(({ act, note }: { act: string; note: string }) => [act, note]),
      [
        ['reinstate', 'It was free to use.'],
        ['appeal', null],
        ['take_down', 'It is not yours.'],
      ],
    )
    const listing = await listingTakenDown('A vase')
    await ok(appeal(listing.decision))
    await ok(decide(listing.decision, 'upheld', second, 'It still does not exist.'))
    const log = (await ok(first.ask('GET', 'review/deeds?limit=4'))).deeds
    assert.deepEqual(
      log.map((entry: { act: string; listing: string | null; piece: object | null }) => [
        entry.act,
        entry.listing,
        entry.piece !== null,
      ]),
      [
        ['uphold', 'a-vase', false],
        ['withhold', 'a-vase', false],
        ['reinstate', null, true],
        ['take_down', null, true],
      ],
    )
  })
})

describe('without an appeal', () => {
  test('a moderator takes their own decision back, and the writer is told', async () => {
    const { slug, decision } = await listingTakenDown('A chair')
    await emails()
    assert.deepEqual(await refusal(decide(decision, 'upheld', first)), [409, 'illegal_transition'])
    assert.equal((await ok(decide(decision, 'reversed', first, 'I was wrong.'))).is_public, true)
    assert.equal((await app.inject(`/shop/${slug}`)).statusCode, 200)
    const sent = await emails()
    assert.deepEqual(
      sent.map(({ subject }) => subject),
      ['Decision on “A chair” reversed'],
    )
    assert.match(sent[0]!.text, /was reviewed again and reversed/)
    assert.deepEqual(await refusal(appeal(decision)), [409, 'illegal_transition'])
  })

  test('what readers had is kept for six months and then forgotten; an open appeal keeps it', async () => {
    const kept = async (decision: string) =>
      (await admin.query('select kept is not null as kept from app.decisions where id = $1', [decision])).rows[0].kept
    const [fresh, old, open] = [await takenDown(), await takenDown(), await takenDown()]
    await ok(appeal(open.decision))
    const ids = [old.decision, open.decision]
    await admin.query("update app.decisions set at = at - interval '6 months 1 day' where id = any ($1)", [ids])
    await sweepDecisions(site.worker)
    assert.deepEqual(await Promise.all([fresh, old, open].map(({ decision }) => kept(decision))), [true, false, true])
    assert.deepEqual(await refusal(decide(old.decision, 'reversed')), [410, 'expired'])
    await ok(decide(open.decision, 'reversed'))
    assert.equal(await kept(open.decision), false)
  })
})

test('PostgreSQL keeps decisions from every role but the one that acts', async () => {
  const { rows } = await admin.query(
    `select role from unnest(array['svc_public', 'svc_api', 'svc_desk', 'svc_worker']) as role
      where has_any_column_privilege(role, 'app.decisions', 'select, insert, update, references')
         or has_table_privilege(role, 'app.decisions', 'delete, truncate, trigger')`,
  )
  assert.deepEqual(rows, [])
})
