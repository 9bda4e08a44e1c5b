import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { goodPassword, makeAccount } from '../../testkit/accounts.ts'
import { serve } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'
import { painted } from './browser.ts'
import { openDeskSite } from './desk-site.ts'

/** A page of another site can do nothing at the desk of a signed-in visitor. */

const site = await openDeskSite({}, { isQuiet: false })

/** Another site, since 127.0.0.1 is not localhost. It serves the page a test sets. */
let evilPage = ''
const elsewhere = await serve((_request, response) =>
  response
    .setHeader('content-type', 'text/html; charset=utf-8')
    .end(`<!doctype html><title>Elsewhere</title>${evilPage}`),
)
const evil = `${elsewhere.base}/`

async function openEvil(page: Page, markup: string): Promise<void> {
  evilPage = markup
  await page.goto(evil)
}

test('no page of the desk is shown in a frame of another site, nor of our own', async () => {
  const { page, context } = await site.signedIn()
  for (const path of ['/desk', '/desk/sign-in', '/desk/account', '/desk/edit/pieces/new', '/desk/review']) {
    await openEvil(page, `<iframe src="${site.base}${path}"></iframe>`)
    const framed = await until(() => page.frames().find((frame) => frame !== page.mainFrame()), 'the frame is there')
    await until(() => framed.url().startsWith('chrome-error:'), `${path} is refused in a frame`)
    const { headers } = await headersOf(path)
    assert.match(headers['content-security-policy'] ?? '', /frame-ancestors 'none'/, path)
  }
  await context.close()
})

test('a form, a fetch and a beacon from another site are refused, and leave the session and everything as it was', async () => {
  const { page, context } = await site.signedIn({ name: 'Mary Anning' })
  const answers: number[] = []
  page.on('response', (response) => {
    if (response.url().includes('/desk/api/')) answers.push(response.status())
  })
  await openEvil(
    page,
    `<form method="post" enctype="text/plain" action="${site.base}/desk/api/pieces">
       <input name='{"headline":"Theirs","body_md":"Not mine","x":"' value='"}'></form>`,
  )
  await Promise.all([page.waitForURL(/desk\/api\/pieces/), page.evaluate('document.forms[0].submit()')])
  await openEvil(page, '')
  // Browsers do not expose the answer to a beacon.
  const beacon = new Promise<number>((resolve) => {
    site.app.server.on('request', (request, response) => {
      if (request.url?.endsWith('/sessions/end-others')) response.on('close', () => resolve(response.statusCode))
    })
  })
  await page.evaluate(`Promise.allSettled([
    fetch('${site.base}/desk/api/pieces', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }),
    fetch('${site.base}/desk/api/sign-out', { method: 'POST', mode: 'no-cors', credentials: 'include' }),
    fetch('${site.base}/desk/api/account', { method: 'DELETE', credentials: 'include' }),
    navigator.sendBeacon('${site.base}/desk/api/sessions/end-others', '{}'),
  ])`)
  assert.equal(await beacon, 403)
  assert.ok(answers.length >= 1)
  assert.deepEqual(
    [...new Set(answers.filter((status) => status !== 403))],
    [],
    'what the browser lets be seen is nothing but 403',
  )

  const read = async (path: string) => (await context.request.get(`${site.base}/desk/api${path}`)).json()
  assert.equal((await read('/account')).account.name, 'Mary Anning', 'still signed in')
  assert.equal((await read('/pieces')).count, 0)
})

test('another site reads nothing of the desk, and holds no window of it', async () => {
  const { page } = await site.signedIn()
  await openEvil(page, '<button>Open</button>')
  const outcomes = await page.evaluate(`Promise.all(['/desk', '/desk/api/account', '/desk/api/pieces'].map((path) =>
    fetch('${site.base}' + path, { credentials: 'include' }).then(() => 'read', () => 'refused')))`)
  assert.deepEqual(outcomes, ['refused', 'refused', 'refused'])

  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(`void (globalThis.held = open('${site.base}/desk'))`),
  ])
  await opened.waitForLoadState()
  assert.equal(await page.evaluate('held.closed'), true, 'the opener has lost it')
  assert.equal(await opened.evaluate('opener'), null)
})

test('a session that somebody else put into the browser is not the one after signing in', async () => {
  const attacker = await site.signedIn({ name: 'An Attacker' })
  const planted = (await attacker.context.cookies()).find(({ name }) => name === 'desk')!
  const { email } = await makeAccount(site.admin, { name: 'A Victim' })
  const { page, context, go } = await site.visit()
  await context.addCookies([planted])
  await go('/desk/sign-in')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('A Victim').waitFor()
  const now = (await context.cookies()).find(({ name }) => name === 'desk')!
  assert.notEqual(now.value, planted.value)
  assert.equal(now.httpOnly, true)
  assert.equal(now.sameSite, 'Lax')
  const theirs = await (await attacker.context.request.get(`${site.base}/desk/api/account`)).json()
  assert.notEqual(theirs.account?.name, 'A Victim')
})

test('a script that slips into a page of the desk does not run', async () => {
  const { page, go } = await site.signedIn()
  await go('/desk/account')
  const outcome = await page.evaluate(`(() => {
    globalThis.ran = false
    const script = document.createElement('script')
    const tried = []
    try { script.textContent = 'globalThis.ran = true'; document.body.append(script) } catch (error) { tried.push(error.name) }
    try { document.body.innerHTML += '<img src=x onerror="globalThis.ran = true">' } catch (error) { tried.push(error.name) }
    try { document.body.insertAdjacentHTML('beforeend', '<script>globalThis.ran = true</script>') } catch (error) { tried.push(error.name) }
    try { trustedTypes.createPolicy('other', { createHTML: (text) => text }) } catch (error) { tried.push(error.name) }
    return tried
  })()`)
  assert.deepEqual(outcome, ['TypeError', 'TypeError', 'TypeError', 'TypeError'])
  await painted(page)
  assert.equal(await page.evaluate('ran'), false)
})

test('every answer of the application carries the strict policy, with a nonce of its own, and is kept by nobody', async () => {
  const [one, two] = [await headersOf('/desk'), await headersOf('/desk')]
  const policy = one.headers['content-security-policy'] ?? ''
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
  assert.ok(Buffer.from(nonce, 'base64').length >= 16)
  assert.notEqual(policy, two.headers['content-security-policy'])
  assert.ok(one.body.includes(`nonce="${nonce}"`))
  assert.equal(
    policy.replaceAll(nonce, '{r}'),
    "default-src 'none'; script-src 'nonce-{r}' 'strict-dynamic'; style-src 'self' 'nonce-{r}'; img-src 'self' https:; " +
      "connect-src 'self'; font-src 'self'; frame-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; " +
      "object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types desk; report-to csp",
  )
  assert.equal(one.headers['cache-control'], 'no-store')
  assert.equal(one.headers['cross-origin-opener-policy'], 'same-origin')
  assert.equal(one.headers['cross-origin-resource-policy'], 'same-origin')
  const script = /src="([^"]+)"/.exec(one.body)![1]!
  const asset = await headersOf(script)
  assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(asset.headers['cross-origin-resource-policy'], 'same-origin')
})

async function headersOf(path: string): Promise<{ headers: Record<string, string>; body: string }> {
  const answer = await fetch(`${site.base}${path}`)
  return { headers: Object.fromEntries(answer.headers), body: await answer.text() }
}
