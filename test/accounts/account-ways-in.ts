import type { FastifyInstance } from 'fastify'
import { type DeskBrowser, openDesk } from '../../testkit/desk-browser.ts'
import { makeSoftPasskey, type SoftPasskey, showSoftPasskey } from '../../testkit/soft-passkey.ts'

/** Ways into an account that has one of these addresses, and how they are made. */
export function waysIn(app: FastifyInstance, addresses: readonly string[]) {
  const signIn = async (email: string, password: string): Promise<DeskBrowser | undefined> => {
    const browser = openDesk(app)
    return (await browser.post('/sign-in', { email, password })).statusCode === 200 ? browser : undefined
  }
  const withPasskey = async (passkey: SoftPasskey): Promise<DeskBrowser | undefined> => {
    const browser = openDesk(app)
    const { options } = (await browser.post('/sign-in/passkey/options')).json()
    const credential = showSoftPasskey(passkey, options)
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
