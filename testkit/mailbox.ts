import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { after } from 'node:test'
import { SMTPServer } from 'smtp-server'

/** An email as it was received. */
interface Received {
  readonly to: readonly string[]
  /** Of the envelope. */
  readonly returnPath: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Every address in the HTML part's links, in order. */
  readonly links: readonly string[]
  /** By name in lower case, unfolded and decoded. */
  readonly headers: ReadonlyMap<string, string>
  readonly raw: string
}

export interface Mailbox {
  readonly url: string
  readonly port: number
  emails(): readonly Received[]
  /** The first email to this address that matches a subject pattern or a predicate, waiting for it if needed. */
  waitForEmail(to: string, match?: RegExp | ((email: Received) => boolean), within?: number): Promise<Received>
  /**
   * Answers from now on with an SMTP code, or not at all: `silence` to a recipient, `unconfirmed` to an email that it has
   * received. Or by recipient, such as `550 5.1.1 No such user`. `undefined` accepts emails again, including those waiting.
   */
  refuse(how: Refusal | undefined): void
  close(): Promise<void>
}

type Refusal = number | 'silence' | 'unconfirmed' | ((to: string) => string | undefined)

/** An SMTP server for one test file, closed after it. Pass a port to restart it on the same one. */
export async function startMailbox(port = 0): Promise<Mailbox> {
  const emails: Received[] = []
  const arrivals = new EventEmitter().setMaxListeners(0)
  let refusal: Refusal | undefined
  const waiting: (() => void)[] = []
  const answerTo = (address: string): string | undefined =>
    typeof refusal === 'function' ? refusal(address) : typeof refusal === 'number' ? `${refusal} not today` : undefined
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 200,
    onRcptTo: ({ address }, _session, done) => {
      if (refusal === 'silence') return void waiting.push(() => done())
      const [, code, words] = /^(\d{3}) (.*)$/.exec(answerTo(address) ?? '') ?? []
      done(code === undefined ? null : Object.assign(new Error(words), { responseCode: Number(code) }))
    },
    onData: async (stream, { envelope }, done) => {
      const raw = await textOf(stream)
      emails.push(
        read(
          raw,
          envelope.rcptTo.map(({ address }) => address),
          envelope.mailFrom === false ? '' : envelope.mailFrom.address,
        ),
      )
      arrivals.emit('email')
      if (refusal === 'unconfirmed') waiting.push(() => done())
      else done()
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const actual = (server.server.address() as AddressInfo).port

  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= new Promise((resolve) => server.close(() => resolve()))
    return closed
  }
  after(close)

  return {
    url: `smtp://127.0.0.1:${actual}`,
    port: actual,
    emails: () => emails,
    async waitForEmail(to, match = () => true, within = 120_000) {
      const fits = match instanceof RegExp ? ({ subject }: Received) => match.test(subject) : match
      const signal = AbortSignal.timeout(within)
      for (;;) {
        const found = emails.find((email) => email.to.includes(to) && fits(email))
        if (found) return found
        await once(arrivals, 'email', { signal }).catch(() => {
          const there = emails.map((email) => `${email.to}: ${email.subject}`).join('; ')
          throw new Error(`no such email to ${to} within ${within} ms; there ${there ? `are ${there}` : 'is none'}`)
        })
      }
    },
    refuse: (how) => {
      refusal = how
      if (how === undefined) for (const go of waiting.splice(0)) go()
    },
    close,
  }
}

interface Part {
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Parses only the MIME that nodemailer writes. */
function read(raw: string, to: readonly string[], returnPath: string): Received {
  const whole = partOf(raw)
  const boundary = /boundary="?([^";]+)"?/.exec(whole.headers.get('content-type') ?? '')?.[1]
  const parts = boundary
    ? whole.body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => partOf(part.replace(/^\r\n/, '')))
    : [whole]
  const ofType = (type: string) => {
    const part = parts.find(({ headers }) => headers.get('content-type')?.startsWith(type))
    return part ? decoded(part) : ''
  }
  const html = ofType('text/html')
  return {
    to,
    returnPath,
    from: whole.headers.get('from') ?? '',
    subject: whole.headers.get('subject') ?? '',
    text: ofType('text/plain'),
    html,
    links: [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => unescaped(link!)),
    headers: whole.headers,
    raw,
  }
}

function partOf(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(':')
    return [name.toLowerCase(), plainWords(value.join(':').trim())]
  })
  return { headers: new Map(headers), body: raw.slice(end + 4) }
}

function decoded({ headers, body }: Part): string {
  const coding = headers.get('content-transfer-encoding')
  const text =
    coding === 'base64'
      ? Buffer.from(body, 'base64').toString()
      : coding === 'quoted-printable'
        ? quotedPrintable(body.replace(/=\r\n/g, '')).toString()
        : body
  return text.replaceAll('\r\n', '\n').trimEnd()
}

const quotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

/** RFC 2047: =?UTF-8?Q?caf=C3=A9?= */
const plainWords = (value: string): string =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, coding: string, word: string) =>
      coding.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : quotedPrintable(word.replaceAll('_', ' ')).toString(),
    )

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
