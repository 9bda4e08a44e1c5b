import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { completeEntry, type JournalEntry, restoreText } from './journal.ts'
import type { Manuscript } from './manuscript.ts'
import type { SavedPiece } from './save-status.ts'
import { desk, words } from './testing.ts'

describe('a change', () => {
  test('is in the journal at once, and at the server 800 ms after the last', async () => {
    const { clock, server, journal, saver } = desk(words('One.'))
    saver.change({ body_md: 'One. T' })
    await clock.pass(0)
    assert.equal(journal.entries.get('p')?.manuscript.body_md, 'One. T')
    await clock.pass(799)
    saver.change({ body_md: 'One. Tw' })
    await clock.pass(799)
    assert.deepEqual(server.calls, [])
    await clock.pass(1)
    assert.deepEqual(server.calls, ['save body_md'])
    assert.equal(saver.status().kind, 'saved')
    assert.equal(journal.entries.size, 0)
  })

  test('reaches the server within 5 s of typing without a pause', async () => {
    const { clock, server, saver } = desk(words('.'))
    for (let typed = 1; typed <= 60; typed += 1) {
      saver.change({ body_md: '.'.repeat(typed + 1) })
      await clock.pass(100)
    }
    assert.equal(server.calls.length, 1)
  })

  test('typed while a save is under way is saved by the next one', async () => {
    const { clock, server, saver } = desk(words('a'))
    saver.change({ body_md: 'ab' })
    const flushed = saver.flush()
    saver.change({ body_md: 'abc' })
    await flushed
    assert.equal(saver.status().kind, 'changed')
    await clock.pass(800)
    assert.deepEqual(
      server.revisions.map(({ body_md }) => body_md),
      ['a', 'ab', 'abc'],
    )
  })
})

describe('a new piece', () => {
  test('stays on the device while it has no text, then begins once and is known by its id', async () => {
    const { clock, server, journal, saver } = desk()
    saver.change({ headline: 'On tea' })
    await clock.pass(1000)
    assert.equal(saver.status().kind, 'textless')
    assert.equal(journal.entries.get('p')?.manuscript.headline, 'On tea')
    saver.change({ body_md: 'Tea.' })
    await clock.pass(800)
    saver.change({ body_md: 'Tea is' })
    await clock.pass(800)
    assert.deepEqual(server.calls, ['begin', 'save body_md'])
    assert.equal(saver.id(), 'p')
    assert.equal(journal.entries.size, 0)
  })

  test('whose first answer was lost is begun once, and everything typed meanwhile follows', async () => {
    const { clock, server, journal, saver } = desk()
    server.fail('lost')
    saver.change({ body_md: 'Tea.' })
    await clock.pass(800)
    saver.change({ body_md: 'Tea is slow.', sub: 'A standfirst', tags: ['tea'] })
    server.fail()
    await clock.pass(2000)
    assert.deepEqual(server.calls, ['begin', 'begin', 'save sub body_md tags'])
    assert.deepEqual(server.revisions.at(-1), words('Tea is slow.', { sub: 'A standfirst', tags: ['tea'] }))
    assert.deepEqual([saver.status().kind, journal.entries.size], ['saved', 0])
  })

  test('that was put back after its first answer was lost sends only what the server has not', async () => {
    const entry = { key: 'p', writer: 'w', manuscript: words('Tea.', { tags: ['tea'] }), base: null, sent: null, at: 5 }
    const { clock, server, saver } = desk(words('Tea.'), restoreText(entry, null))
    await clock.pass(1000)
    assert.deepEqual(server.calls, ['begin', 'save tags'])
    assert.deepEqual([saver.status().kind, server.revisions.at(-1)?.tags], ['saved', ['tea']])
  })
})

describe('without the network', () => {
  test('it is tried again at 1, 2, 4 s and so on, and everything typed meanwhile arrives', async () => {
    const { clock, server, journal, saver } = desk(words('a'))
    server.fail('unreachable')
    saver.change({ body_md: 'ab' })
    await clock.pass(800)
    assert.equal(saver.status().kind, 'unreachable')
    saver.change({ body_md: 'abc' })
    await clock.pass(7000)
    assert.equal(server.calls.length, 4)
    assert.equal(journal.entries.get('p')?.manuscript.body_md, 'abc')
    server.fail()
    saver.tryAgain()
    await clock.pass(0)
    assert.deepEqual([server.revisions.at(-1)?.body_md, saver.status().kind], ['abc', 'saved'])
  })

  test('a save whose answer was lost is not taken for somebody else’s', async () => {
    const { clock, server, saver } = desk(words('a'))
    server.fail('lost')
    saver.change({ body_md: 'ab' })
    await clock.pass(800)
    saver.change({ body_md: 'abc' })
    server.fail()
    await clock.pass(1000)
    assert.deepEqual([server.revisions.at(-1)?.body_md, saver.status().kind], ['abc', 'saved'])
  })
})

describe('a saver that is closed because another tab writes', () => {
  test('keeps nothing more and sends nothing more, whatever was under way', async () => {
    const { clock, server, journal, saver } = desk(words('a'))
    saver.change({ body_md: 'ab' })
    const flushed = saver.flush()
    saver.change({ body_md: 'abc' })
    await clock.pass(0)
    saver.close()
    const theirs = { key: 'p', writer: 'w', manuscript: words('of the other tab'), base: null, sent: null, at: 1 }
    journal.entries.set('p', theirs)
    await flushed
    await saver.flush()
    saver.tryAgain()
    await clock.pass(60_000)
    assert.deepEqual(server.calls, ['save body_md'])
    assert.equal(journal.entries.get('p'), theirs)
  })

  test('is safe to leave only if every character is at the server or on the device', async () => {
    const { clock, server, journal, saver } = desk(words('a'))
    server.fail('unreachable')
    saver.change({ body_md: 'ab' })
    assert.equal(await saver.isSafe(), true)
    journal.isFull = true
    saver.change({ body_md: 'abc' })
    assert.equal(await saver.isSafe(), false)
    server.fail()
    await clock.pass(1000)
    assert.equal(await saver.isSafe(), true)
  })
})

test('a headline that is too long stays on the device; the rest is saved', async () => {
  const { clock, server, journal, saver } = desk(words('a', { headline: 'Short' }))
  saver.change({ headline: 'x'.repeat(201), body_md: 'ab' })
  await clock.pass(2000)
  assert.deepEqual(server.revisions.at(-1), words('ab', { headline: 'Short' }))
  assert.deepEqual(saver.status(), { kind: 'too_long', fields: [{ member: 'headline', over: 1 }] })
  assert.equal(journal.entries.get('p')?.manuscript.headline.length, 201)
  saver.change({ headline: 'Shorter' })
  await clock.pass(800)
  assert.equal(saver.status().kind, 'saved')
})

describe('signed out, refused, deleted', () => {
  for (const how of ['signed_out', 'refused', 'gone'] as const) {
    test(`${how}: the text stays in the journal`, async () => {
      const { clock, server, journal, saver } = desk(words('a'))
      server.fail(how)
      saver.change({ body_md: 'ab' })
      await clock.pass(800)
      assert.equal(saver.status().kind, how)
      assert.equal(journal.entries.get('p')?.manuscript.body_md, 'ab')
    })
  }
})

test('a save whose answer was lost, then signed out: still not taken for somebody else’s', async () => {
  const { clock, server, saver } = desk(words('a'))
  server.fail('lost')
  saver.change({ body_md: 'ab' })
  await clock.pass(800)
  saver.change({ body_md: 'abc' })
  server.fail('signed_out')
  await clock.pass(1000)
  assert.equal(saver.status().kind, 'signed_out')
  server.fail()
  saver.tryAgain()
  await clock.pass(0)
  assert.deepEqual([server.revisions.at(-1)?.body_md, saver.status().kind], ['abc', 'saved'])
})

describe('when somebody else saved in between', () => {
  async function contested() {
    const one = desk(words('One.\n\nTwo.'))
    one.server.revisions.push(words('One.\n\nTheirs.'))
    one.saver.change({ body_md: 'One.\n\nMine.' })
    await one.clock.pass(800)
    assert.equal(one.saver.status().kind, 'contested')
    assert.equal(one.journal.entries.get('p')?.manuscript.body_md, 'One.\n\nMine.')
    return one
  }
  const bodies = (revisions: readonly Manuscript[]) => revisions.map(({ body_md }) => body_md)

  test('what they changed elsewhere in the piece is taken, and nothing asked', async () => {
    const { clock, server, saver } = desk(words('One.'))
    const events: string[] = []
    saver.listen((event) => events.push(event))
    server.revisions.push(words('One.', { tags: ['tea'] }))
    saver.change({ body_md: 'One. Two.' })
    await clock.pass(800)
    assert.deepEqual(server.revisions.at(-1), words('One. Two.', { tags: ['tea'] }))
    assert.ok(events.includes('merged'))
  })

  test('nothing is sent until the writer has chosen, however much is typed', async () => {
    const { clock, server, saver, journal } = await contested()
    saver.change({ body_md: 'One.\n\nMine, and more.' })
    await clock.pass(60_000)
    assert.equal(server.revisions.length, 2)
    assert.equal(journal.entries.get('p')?.manuscript.body_md, 'One.\n\nMine, and more.')
  })

  test('keeping mine leaves theirs in the history', async () => {
    const { server, saver } = await contested()
    await saver.keepMine()
    assert.deepEqual(bodies(server.revisions), ['One.\n\nTwo.', 'One.\n\nTheirs.', 'One.\n\nMine.'])
  })

  test('taking theirs leaves mine in the history', async () => {
    const { server, saver } = await contested()
    await saver.takeTheirs()
    assert.deepEqual(bodies(server.revisions).slice(1), ['One.\n\nTheirs.', 'One.\n\nMine.', 'One.\n\nTheirs.'])
    assert.equal(saver.manuscript().body_md, 'One.\n\nTheirs.')
  })

  test('what is typed while theirs is taken is in the history, too', async () => {
    const { server, saver } = await contested()
    const taken = saver.takeTheirs()
    saver.change({ body_md: 'One.\n\nMine, at the last moment.' })
    await taken
    assert.ok(bodies(server.revisions).includes('One.\n\nMine, at the last moment.'))
    assert.equal(bodies(server.revisions).at(-1), 'One.\n\nTheirs.')
  })

  test('what the server only made clean is no change of theirs', async () => {
    const mine = { headline: 'On tea ', external_url: 'https://example.com', style: '' }
    const { clock, server, saver } = desk(words('a', mine))
    server.revisions.push(
      words('b', { headline: 'On tea', external_url: 'https://example.com/', style: 'essay', locale: 'de' }),
    )
    saver.change({ headline: 'On tea and', external_url: 'https://example.com/a', style: 'note' })
    await clock.pass(800)
    assert.equal(saver.status().kind, 'saved')
    assert.deepEqual(
      server.revisions.at(-1),
      words('b', { headline: 'On tea and', external_url: 'https://example.com/a', style: 'note', locale: 'de' }),
    )
  })

  test('taking both puts them in one text, and what nobody changed only once', async () => {
    const { server, saver } = await contested()
    await saver.takeBoth()
    assert.equal(bodies(server.revisions).at(-1), 'One.\n\nMine.\n\nTheirs.')
    assert.equal(saver.status().kind, 'saved')
  })
})

describe('two devices', () => {
  const text = (one: string, two: string) => words(`${one}\n\nIn between.\n\n${two}`)

  test('that change different paragraphs: both are saved, and nothing is asked', async () => {
    const { clock, server, saver } = desk(text('One.', 'Two.'))
    const events: string[] = []
    saver.listen((event) => events.push(event))
    server.revisions.push(text('One.', 'Two, by them.'))
    saver.change(text('One, by me.', 'Two.'))
    await clock.pass(800)
    assert.deepEqual(server.revisions.at(-1), text('One, by me.', 'Two, by them.'))
    assert.deepEqual([saver.status().kind, events.includes('merged')], ['saved', true])
  })

  test('that also change the same sentence: only that one is asked about, whatever is chosen', async () => {
    for (const choice of ['keepMine', 'takeTheirs'] as const) {
      const { clock, server, saver } = desk(text('One.', 'Two is here.'))
      server.revisions.push(text('One, by them.', 'Two is theirs.'))
      saver.change(text('One.', 'Two is mine.'))
      await clock.pass(800)
      assert.equal(saver.status().kind, 'contested')
      assert.deepEqual(saver.manuscript(), text('One, by them.', 'Two is mine.'))
      await saver[choice]()
      const chosen = choice === 'keepMine' ? 'Two is mine.' : 'Two is theirs.'
      assert.deepEqual(server.revisions.at(-1), text('One, by them.', chosen))
    }
  })

  test('asked about and opened again, this device asks about the same sentence only', async () => {
    const { clock, server, saver, journal } = desk(text('One.', 'Two is here.'))
    server.revisions.push(text('One, by them.', 'Two is theirs.'))
    saver.change(text('One.', 'Two is mine.'))
    await clock.pass(800)
    const found = restoreText(journal.entries.get('p'), server.at())
    assert.deepEqual(found.manuscript, text('One, by them.', 'Two is mine.'))
    assert.deepEqual(found.contested?.theirs, text('One, by them.', 'Two is theirs.'))
  })

  test('one that is idle takes what the other saved when it checks, and sends nothing', async () => {
    const { server, saver } = desk(text('One.', 'Two.'))
    const events: string[] = []
    saver.listen((event) => events.push(event))
    server.revisions.push(text('One.', 'Two, by them.'))
    await saver.check()
    assert.deepEqual(saver.manuscript(), text('One.', 'Two, by them.'))
    assert.deepEqual([server.calls, saver.status().kind, events], [['read'], 'saved', ['merged', 'status']])
  })

  test('one that is written on while it checks saves and merges what is written', async () => {
    const { clock, server, saver } = desk(text('One.', 'Two.'))
    server.revisions.push(text('One.', 'Two, by them.'))
    const checked = saver.check()
    saver.change(text('One, by me.', 'Two.'))
    await checked
    assert.deepEqual(saver.manuscript(), text('One, by me.', 'Two.'))
    await clock.pass(800)
    assert.deepEqual(server.revisions.at(-1), text('One, by me.', 'Two, by them.'))
  })

  test('one that gets an older answer stays as it is', async () => {
    const { clock, server, saver } = desk(words('a'))
    saver.change({ body_md: 'ab' })
    await clock.pass(800)
    server.revisions.pop()
    await saver.check()
    assert.equal(saver.manuscript().body_md, 'ab')
  })
})

describe('opening a piece', () => {
  const saved = (body_md: string, etag = '"1"'): SavedPiece => ({ id: 'p', etag, manuscript: words(body_md) })
  const entry = (base: SavedPiece | null, mine: string, sent: string | null = null): JournalEntry => ({
    key: 'p',
    writer: 'w',
    base,
    manuscript: words(mine),
    sent: sent === null ? null : words(sent),
    at: 5,
  })

  test('with nothing in the journal shows what the server has', () => {
    assert.equal(restoreText(undefined, saved('a')).manuscript.body_md, 'a')
  })

  test('puts back what never reached the server, says when it was written, and saves it', async () => {
    const found = restoreText(entry(saved('a'), 'ab'), saved('a'))
    assert.deepEqual([found.manuscript.body_md, found.restoredAt], ['ab', 5])
    const { clock, server } = desk(words('a'), found)
    await clock.pass(0)
    assert.equal(server.revisions.at(-1)?.body_md, 'ab')
  })

  test('says nothing where the server has it after all', () => {
    const found = restoreText(entry(saved('a'), 'ab'), saved('ab', '"2"'))
    assert.deepEqual([found.manuscript.body_md, found.restoredAt, found.contested], ['ab', null, null])
  })

  test('knows what was under way when the tab ended', () => {
    const found = restoreText(entry(saved('a'), 'abc', 'ab'), saved('ab', '"2"'))
    assert.deepEqual([found.manuscript.body_md, found.contested], ['abc', null])
  })

  test('asks where both sides changed the same words', () => {
    const found = restoreText(entry(saved('a'), 'ab'), saved('ac', '"2"'))
    assert.deepEqual([found.manuscript.body_md, found.contested?.theirs.body_md], ['ab', 'ac'])
  })
})

test('an entry of the journal that is older than a field has that field empty', () => {
  const { translation_of: _, ...older } = words('a')
  const base: SavedPiece = { id: 'p', etag: '"1"', manuscript: older as Manuscript }
  const entry = completeEntry({ key: 'p', writer: 'w', manuscript: older as Manuscript, base, sent: null, at: 0 })
  assert.deepEqual([entry.manuscript, entry.base?.manuscript, entry.sent], [words('a'), words('a'), null])
})
