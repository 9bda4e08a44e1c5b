import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'

const { admin, url } = await testDatabase()
const writer = await makeWriter(admin, { name: 'Ann Taylor', slug: 'ann-taylor' })
await makePiece(admin, writer, { headline: 'On TEA & toast', body_md: 'Nothing.' })
await makePiece(admin, writer, { headline: 'Standing', sub: 'A line about tea.', body_md: 'Nothing.' })
await makePiece(admin, writer, {
  headline: 'Deep',
  sub: 'A line.',
  body_md: 'Far down there is a cup of <tea> & milk.',
})
const named = await makeWriter(admin, {
  name: 'Tea Ramírez',
  slug: 'tea-ramirez',
  role: 'Baker',
  bio: `${'Ordinary things. '.repeat(20)}Keeps a heron.`,
})
await makePiece(admin, named, {
  headline: 'Ours',
  sub: 'Nothing at all.',
  body_md: 'To teach is to learn about gardens.',
})
const app = await testApp(url)

const visit = (path: string) => app.inject({ url: path, headers: { accept: 'text/html' } })

test('hits stand by where they match, and every match is marked', async () => {
  const { statusCode, body } = await visit('/search?q=tea')
  assert.equal(statusCode, 200)
  const places = ['>Writers<', '>In the headline<', '>In the summary, byline or tags<', '>In the text<'].map((word) =>
    body.indexOf(word),
  )
  assert.ok(
    places.every((place, at) => place > (places[at - 1] ?? 0)),
    String(places),
  )
  assert.match(body, /Results for “<bdi>tea<\/bdi>”/)
  assert.ok(body.includes('On <mark>TEA</mark> &amp; toast'))
  assert.ok(body.includes('A line about <mark>tea</mark>.'))
  assert.ok(body.includes('&lt;<mark>tea</mark>&gt; &amp; milk'))
  assert.ok(body.includes('<bdi><mark>Tea</mark> Ramírez</bdi>'))
})

test('a search page is not for search engines', async () => {
  assert.match((await visit('/search?q=tea')).body, /<meta name="robots" content="noindex, follow">/)
})

test('an empty field, or one of spaces, is an invitation', async () => {
  for (const path of ['/search', '/search?q=', '/search?q=%20%20']) {
    const { statusCode, body } = await visit(path)
    assert.equal(statusCode, 200)
    assert.match(body, /Search pieces and writers by any words, in any order\./)
    assert.match(body, /<input type="search" id="q" name="q" value=""/)
  }
})

test('a term of 200 characters is searched for, and a longer one is answered with what to do', async () => {
  assert.equal((await visit(`/search?q=${'é'.repeat(200)}`)).statusCode, 200)
  const { statusCode, headers, body } = await visit(`/search?q=${'é'.repeat(201)}`)
  assert.equal(statusCode, 400)
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(body, /Searches can have up to 200 characters\. Shorten yours and try again\./)
})

test('where nothing is found, it says so and keeps the term in the field', async () => {
  const { statusCode, body } = await visit('/search?q=%22%3Ewombat')
  assert.equal(statusCode, 200)
  assert.match(body, /No results for “<bdi>&quot;&gt;wombat<\/bdi>”\. Check the spelling or try fewer words\./)
  assert.match(body, /value="&quot;&gt;wombat"/)
})

test('more than a page of hits is read on by a link, each piece once', async () => {
  const many = await makeWriter(admin, { name: 'Someone' })
  for (let index = 0; index < 23; index++) await makePiece(admin, many, { headline: `Zebra ${index}.` })
  const { body: first } = await visit('/search?q=zebra')
  assert.match(first, /Results for “<bdi>zebra<\/bdi>”/)
  const next = /<a href="https:\/\/site\.test([^"]+)" rel="next">/.exec(first)?.[1]?.replaceAll('&amp;', '&')
  const { body: second } = await visit(next!)
  const titles = (body: string) => [...body.matchAll(/<mark>Zebra<\/mark> (\d+)\./g)].map(([, number]) => number)
  assert.equal(titles(first).length, 20)
  assert.equal(new Set([...titles(first), ...titles(second)]).size, 23)
  assert.match(second, /More results for “<bdi>zebra<\/bdi>”/)
  assert.doesNotMatch(second, /rel="next"/)
})

test('a term twice, or a cursor of another list, is refused with a page', async () => {
  for (const path of ['/search?q=a&q=b', '/search?q=tea&cursor=abc']) {
    const { statusCode, headers, body } = await visit(path)
    assert.equal(statusCode, 400, path)
    assert.match(String(headers['content-type']), /^text\/html/)
    assert.match(body, /<input type="search"/)
  }
})

test('a whole word is marked, in any inflection, and no part of another', async () => {
  const { body } = await visit('/search?q=tea+learning')
  assert.ok(body.includes('teach is to <mark>learn</mark>'), body)
  assert.ok(!body.includes('<mark>tea</mark>ch'))
})

test('what has the last word as part of another comes last, under its own heading', async () => {
  const { body } = await visit('/search?q=teac')
  assert.match(body, />As part of another word<[\s\S]+<mark>teac<\/mark>h/)
})

test('a writer is found without accents, and their entry shows what was found', async () => {
  assert.ok((await visit('/search?q=ramirez')).body.includes('<mark>Ramírez</mark>'))
  assert.match((await visit('/search?q=heron')).body, /Tea Ramírez[\s\S]+Keeps a <mark>heron<\/mark>\./)
})

test('filters are fields of the form, kept and open where something is chosen', async () => {
  const { body: all } = await visit('/search?q=tea')
  assert.match(all, /<details class="search-filters"><summary>Narrow the search<\/summary>/)
  const { body } = await visit('/search?q=gardens&author=tea+ramirez&since=2020-01-01&until=&category=&tag=')
  assert.match(body, /<details class="search-filters" open>/)
  assert.match(body, /name="author" value="tea ramirez"/)
  assert.match(body, />Ours</)
  assert.doesNotMatch((await visit('/search?q=gardens&author=ann-taylor')).body, />Ours</)
  assert.match((await visit('/search?q=gardens&author=nobody')).body, /No results for/)
  assert.doesNotMatch((await visit('/search?q=gardens&until=2020-01-01')).body, />Ours</)
  for (const wrong of ['since=yesterday', 'since=2026-02-31', 'category=tea', 'language=%21'])
    assert.equal((await visit(`/search?q=tea&${wrong}`)).statusCode, 400, wrong)
})
