import assert from 'node:assert/strict'
import { test } from 'node:test'
import { translatorOf } from '#messages/translator.ts'
import { type EmailKind, type EmailParams, emailKinds, queuedKinds, renderEmail } from './templates.ts'

const site = { name: 'The Tea Site', base: 'https://tea.example' }
const token = 'tok_0123456789abcdefghijklmnopqrstuvwxyzABCDE'
const piece = '0b5f2c4e-8a5d-4d3f-9d57-0c7a1b2c3d4e'
const at = '2026-05-03T14:05:09.123Z'

const examples: { [Kind in EmailKind]: EmailParams[Kind] } = {
  'verify-email': { token, hours: 24 },
  invitation: { token, days: 14 },
  'writer-suspended': { at, reason: 'Sixty pieces of spam.' },
  'writer-restored': { at },
  'already-have-account': {},
  'reset-password': { token, hours: 1 },
  'confirm-new-email': { token, hours: 24 },
  'email-change-asked': { token, at },
  'deletion-asked': { token, at },
  'email-changed': { token, at },
  'take-account-back': { token },
  'account-deleted': { at },
  'password-changed': { at },
  'new-passkey': { at },
  'followers-imported': { at },
  'passkey-deleted': { at },
  'new-sign-in': { at },
  'recovery-codes-made': { at },
  'recovery-code-used': { at },
  'drafts-by-key': { count: 3, headlines: ['On tea', 'On kettles'] },
  'co-author-invited': { headline: 'On tea', writer: 'Ada Okafor' },
  'co-author-answered': { piece, headline: 'On tea', name: 'Berta Brandt', answer: 'agreed' },
  comments: { piece, headline: 'On tea', reader: 'writer', count: 2, names: ['Grace', 'Lin'] },
  'translation-asked': { original_headline: 'On tea', headline: 'Über Tee', translator: 'Berta Brandt' },
  'translation-answered': { piece, original_headline: 'On tea', headline: 'Über Tee', answer: 'agreed' },
  'schedule-published': { piece, headline: 'On tea' },
  'schedule-void': { piece, headline: 'On tea', reason: 'changed', at },
  'key-minted': { key: 'pk_live_1a2b', at },
  'key-leaked': { key: 'pk_live_1a2b', at },
  'changes-requested': { piece, headline: 'On tea', note: 'The kettle is not a clock.' },
  approved: { piece, headline: 'On tea' },
  decision: {
    decision: piece,
    act: 'take_down',
    headline: 'On tea',
    category: 'copyright',
    facts: 'All of it is chapter two of a book.',
    by_report: true,
    until: at,
  },
  'decision-reviewed': {
    decision: piece,
    act: 'take_down',
    headline: 'On tea',
    outcome: 'reversed',
    answer: 'The book is free to use.',
    was_appealed: true,
  },
  'appeal-decided': { decision: piece, headline: 'On tea', outcome: 'reversed', answer: 'The book is free to use.' },
  'report-taken-down': { piece },
  'report-kept': { piece },
  'listing-report-taken-down': { listing: 'a-lamp' },
  'listing-report-kept': { listing: 'a-lamp' },
  'webhook-warning': { at },
  'webhook-failing': { at },
  'webhook-gone': { at },
  'identity-verified': { at },
  'identity-withdrawn': { at },
}

const english = translatorOf('en')
const render = (kind: EmailKind, params: unknown = examples[kind]) =>
  renderEmail({ template: kind, params }, site, english)

/** Only the words, so that both parts can be compared. */
const words = (text: string): string[] =>
  text
    .replace(/<style>.*?<\/style>|<title>.*?<\/title>|<h1.*?<\/h1>|<[^>]*>/gs, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .split(/[\s:]+/)
    .filter(Boolean)

for (const kind of emailKinds) {
  test(`the email ${kind} says the same in both parts, shortly, with one thing to do`, () => {
    const email = render(kind)!
    assert.deepEqual(words(email.html), words(email.text))
    assert.ok(email.subject.length <= 70, email.subject)
    assert.ok(email.text.split(/\s+/).length <= 110, `${email.text.split(/\s+/).length} words`)
    assert.equal(email.html.match(/class="action"/g)?.length, 1)
    for (const [, link] of email.html.matchAll(/href="([^"]*)"/g)) assert.ok(link?.startsWith(site.base), link)
    assert.doesNotMatch(email.text, /undefined|null|\[object|!|—/)
    assert.doesNotMatch(email.html, /<(img|script|link|iframe)\b|undefined|\[object/)
    assert.match(email.html, /<html lang="en" dir="ltr">/)
    assert.match(email.html, /prefers-color-scheme: dark/)
  })
}

test('the name of the site is text, wherever it is put', () => {
  const hostile = { name: '<b>"Tea"\r\nBcc: all@example.org</b>', base: 'https://tea.example/?a="b' }
  const email = renderEmail({ template: 'verify-email', params: examples['verify-email'] }, hostile, english)!
  assert.doesNotMatch(email.html, /<b>|href="[^"]*a="b/)
  assert.doesNotMatch(email.subject, /[\r\n]/)
})

test('no parameter accepts prose', () => {
  const prose = 'Your account is closed. Go to https://evil.example'
  const attempts: [EmailKind, Record<string, unknown>][] = [
    ['verify-email', { token: prose, hours: 24 }],
    ['verify-email', { token, hours: prose }],
    ['verify-email', { token, hours: 24, note: prose }],
    ['already-have-account', { name: prose }],
    ['password-changed', { at: prose }],
    ['password-changed', { at: `${at} ${prose}` }],
    ['drafts-by-key', { count: 1.5, headlines: ['On tea'] }],
    ['drafts-by-key', { count: prose, headlines: ['On tea'] }],
    ['drafts-by-key', { count: 6, headlines: Array(6).fill('On tea') }],
    ['key-minted', { key: `pk_live_1a2b ${prose}`, at }],
    ['report-kept', { piece: `${piece}/../../evil` }],
    ['report-kept', { piece, headline: prose }],
  ]
  for (const [kind, params] of attempts) assert.equal(render(kind, params), undefined, JSON.stringify(params))
  for (const kind of emailKinds.filter((one) => one !== 'already-have-account')) {
    assert.equal(render(kind, {}), undefined, `${kind} without parameters`)
  }
  for (const template of ['constructor', '__proto__', 'toString', '', 'spam']) {
    assert.equal(renderEmail({ template, params: {} }, site, english), undefined)
  }
})

test('emails about a piece name it and quote the note about it, shortened in the subject', () => {
  const headline = 'On tea, and on everything else that is drunk from cups'
  const asked = render('changes-requested', { piece, headline, note: 'The kettle is not a clock.' })!
  assert.equal(asked.subject, 'Changes requested: “On tea, and on everything else that is…”')
  assert.ok(asked.text.includes(`“${headline}”`))
  assert.ok(asked.text.includes('“The kettle is not a clock.”'))
  assert.equal(render('approved')!.subject, '“On tea” is published')
})

test('an email that quotes people cannot be queued', () => {
  for (const kind of ['changes-requested', 'approved', 'decision', 'writer-suspended', 'drafts-by-key'] as const)
    assert.ok(!queuedKinds.includes(kind), kind)
})

test('one draft is named in the subject; of many, the newest in the text', () => {
  const one = render('drafts-by-key', { count: 1, headlines: ['On tea'] })!
  assert.equal(one.subject, 'New draft: “On tea”')
  assert.match(one.text, /created a draft for you/)
  const many = render('drafts-by-key', { count: 7, headlines: ['On tea', 'On kettles'] })!
  assert.equal(many.subject, '7 new drafts to review')
  assert.match(many.text, /created 7 drafts for you[\s\S]*“On tea”\n\n“On kettles”\n\nAnd 5 more\./)
})

test('a time is said as people say it, in UTC', () => {
  assert.match(render('password-changed')!.text, /on 3 May 2026 at 14:05 UTC/)
})
