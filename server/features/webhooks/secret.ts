import { randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** 256 random bits, written as Standard Webhooks writes them; `hint` tells one from another without telling it. */
export function newSecret(): { readonly secret: string; readonly hint: string } {
  const secret = prefix + randomBytes(32).toString('base64')
  return { secret, hint: `…${secret.replace(/=+$/, '').slice(-4)}` }
}
