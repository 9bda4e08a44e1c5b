import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  type DeskBrowser,
  goodPassword,
  makeAccount,
  makeSoftPasskey,
  openDesk,
  signIn,
  signWithSoftPasskey,
} from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'

/** Input no browser sends: every answer is a 400 with a readable detail, never a 500. */

const { admin, app } = await testSite()

async function signedIn(): Promise<DeskBrowser> {
  const { email } = await makeAccount(admin)
  const browser = await signIn(app, email)
  return browser
}
const browser = await signedIn()

type Making = Parameters<typeof makeSoftPasskey>[1]

/** A registration is not signed, so it may contain anything. */
async function make(making: Making) {
  const { options } = (await browser.post('/passkeys/options')).json()
  return browser.post('/passkeys', { credential: makeSoftPasskey(options, making).credential })
}

describe('a passkey', () => {
  const kept: Record<string, Making> = {
    'as browsers make them': {},
    'with an id as long as ids may be': { credentialId: randomBytes(1023) },
    'with a key of nearly four thousand bytes': { padding: 3_900 },
  }
  for (const [how, making] of Object.entries(kept)) {
    test(`${how} is kept`, async () => {
      const answer = await make(making)
      assert.equal(answer.statusCode, 201, answer.body)
    })
  }

  const refused: Record<string, [Making, RegExp]> = {
    'made in a page that another site frames': [{ clientData: { crossOrigin: true } }, /couldn’t be verified/],
    'made in a page that another site frames, and names it': [
      { clientData: { crossOrigin: true, topOrigin: 'https://elsewhere.test' } },
      /couldn’t be verified/,
    ],
    'with an id that is too long': [{ credentialId: randomBytes(1024) }, /too large to store.*another device/],
    'without an id': [{ credentialId: Buffer.alloc(0) }, /try again/],
    'with a key that is too long': [{ padding: 4_200 }, /too large to store.*another device/],
    'called by more than an id may hold': [{ id: 'A'.repeat(1365) }, /at most 1364 characters/],
    'carried by what has no name': [{ transports: ['\u0000'] }, /transports.*form/],
    'carried by prose': [{ transports: ['a pigeon, I think'] }, /transports.*form/],
    'carried by what has too long a name': [{ transports: ['x'.repeat(33)] }, /at most 32 characters/],
    'carried by too many things': [{ transports: Array(9).fill('usb') }, /at most 8 entries/],
  }
  for (const [how, [making, words]] of Object.entries(refused)) {
    test(`${how} is refused, with a sentence`, async () => {
      const answer = await make(making)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json().detail, words)
    })
  }
})

test('a passkey that is shown in a page which another site frames signs nobody in', async () => {
  const { options } = (await browser.post('/passkeys/options')).json()
  const passkey = makeSoftPasskey(options)
  assert.equal((await browser.post('/passkeys', { credential: passkey.credential })).statusCode, 201)
  const signIn = async (said: object) => {
    const visitor = openDesk(app)
    const { options } = (await visitor.post('/sign-in/passkey/options')).json()
    return visitor.post('/sign-in/passkey', { credential: signWithSoftPasskey(passkey, options, said) })
  }
  for (const said of [{ crossOrigin: true }, { crossOrigin: 'true' }, { topOrigin: 'https://elsewhere.test' }])
    assert.equal((await signIn(said)).statusCode, 401, JSON.stringify(said))
  assert.equal((await signIn({ crossOrigin: false })).statusCode, 200)
})

describe('a character that no text has is refused, wherever in a body it stands', () => {
  const token = 'A'.repeat(43)
  const [email, name, password] = ['ada@site.test', 'Ada', goodPassword]
  const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} }
  const made = {
    ...credential,
    response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA', transports: ['usb'] },
  }
  const shown = {
    ...credential,
    response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' },
  }
  const bodies: [string, string, object][] = [
    ['POST', '/sign-up', { email }],
    ['POST', '/link', { token, opens: 'verify' }],
    ['POST', '/verify-email', { token, name, password }],
    ['POST', '/sign-in', { email, password }],
    ['POST', '/forgot-password', { email }],
    ['POST', '/reset-password', { token, password }],
    ['POST', '/first-passkey/options', { token, name }],
    ['POST', '/first-passkey', { token, name, credential: made }],
    ['POST', '/sign-in/passkey', { credential: shown }],
    ['POST', '/reauthenticate', { password }],
    ['POST', '/reauthenticate', { credential: shown }],
    ['PUT', '/account/password', { password }],
    ['POST', '/passkeys', { credential: made, name }],
    ['PATCH', '/passkeys/00000000-0000-4000-8000-000000000000', { name }],
  ]
  for (const [method, path, body] of bodies) {
    test(`${method} ${path} ${Object.keys(body).join(', ')}`, async () => {
      for (const character of ['\u0000', '\ud800']) {
        for (const [pointer, spoilt] of everySpoilt(body, character)) {
          const answer = await browser.send(method as 'POST', path, spoilt as object)
          const what = `${pointer} with ${JSON.stringify(character)}`
          assert.equal(answer.statusCode, 400, `${what}: ${answer.body}`)
          assert.ok(
            answer.json().errors.some((one: { pointer: string }) => one.pointer === pointer),
            what,
          )
        }
      }
    })
  }
})

/** Copies of the value, each with this character inserted into another of its strings. */
function everySpoilt(value: unknown, character: string): [string, unknown][] {
  if (typeof value === 'string') return [['', `${value}${character}`]]
  if (Array.isArray(value)) {
    return value.flatMap((one, at) =>
      everySpoilt(one, character).map(([rest, spoilt]): [string, unknown] => [`/${at}${rest}`, value.with(at, spoilt)]),
    )
  }
  return Object.entries(value as object).flatMap(([name, one]) =>
    everySpoilt(one, character).map(([rest, spoilt]): [string, unknown] => [
      `/${name}${rest}`,
      { ...(value as object), [name]: spoilt },
    ]),
  )
}

describe('signing up', () => {
  test('takes addresses as people have them, and nothing else', async () => {
    for (const email of ['a@b', "o'brien+news@mail.example.co.uk", 'UPPER@CASE.ORG']) {
      assert.equal((await openDesk(app).post('/sign-up', { email })).statusCode, 202, email)
    }
    for (const email of [
      '',
      '@',
      'a@',
      '@b',
      'a b@c',
      'a@b@c',
      'a@b\r\nBcc: x@y',
      '<a@b>',
      'ä@b',
      `${'a'.repeat(65)}@b`,
    ]) {
      assert.equal((await openDesk(app).post('/sign-up', { email })).statusCode, 400, email)
    }
  })
})
