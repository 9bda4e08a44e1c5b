import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DeskRoutesContext } from './context.ts'

/**
 * The desk's cookies: who is signed in; that an account was opened or signed in to on this device before; and from which
 * position of the database's log on what this person has just made public is to be seen (platform/http/fresh-reads.ts).
 */
const lasting = {
  desk: 14 * 24 * 3600,
  device: 400 * 24 * 3600,
  wrote: 30,
} as const
type CookieName = keyof typeof lasting

/** A browser takes `__Host-` only from https, and then from this very host alone. */
const isHttps = ({ origin }: DeskRoutesContext): boolean => origin.startsWith('https:')
const fullName = (context: DeskRoutesContext, name: CookieName): string => (isHttps(context) ? `__Host-${name}` : name)

/** Undefined where there is none, or more than one: then somebody else may have set it. */
export function readCookie(request: FastifyRequest, context: DeskRoutesContext, name: CookieName): string | undefined {
  const wanted = `${fullName(context, name)}=`
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(wanted))
  return found.length === 1 ? found[0]!.slice(wanted.length) : undefined
}

export const setCookie = (reply: FastifyReply, context: DeskRoutesContext, name: CookieName, value: string): void =>
  send(reply, context, name, value, lasting[name])

export const clearCookie = (reply: FastifyReply, context: DeskRoutesContext, name: CookieName): void =>
  send(reply, context, name, '', 0)

function send(reply: FastifyReply, context: DeskRoutesContext, name: CookieName, value: string, seconds: number): void {
  const secure = isHttps(context) ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${fullName(context, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  )
}
