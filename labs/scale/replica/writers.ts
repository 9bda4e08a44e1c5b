import { setTimeout as pause } from 'node:timers/promises'
import type { DeskWriter } from '../../../testkit/desk-client.ts'
import { type Look, lookAt, type Shown } from './readers.ts'
import type { Site } from './site.ts'

/** Writers who publish and unpublish without a pause, each looking at once whether readers see it. */

export interface Acting {
  readonly acts: number
  /** Not acknowledged: nothing is promised of them. */
  readonly refused: number
  readonly looks: readonly Look[]
}

/** Until so many acts are done, or until told to stop. `pace` is between the acts of one writer, in milliseconds. */
export async function act(site: Site, wanted: number, pace = 0, signal?: AbortSignal): Promise<Acting> {
  const looks: Look[] = []
  let [acts, refused] = [0, 0]
  await Promise.all(
    site.writers.map(async (writer) => {
      const pieces = states.get(writer) ?? writer.drafts.map((id, place) => new Piece(writer, id, place))
      states.set(writer, pieces)
      for (let turn = 0; acts < wanted && !signal?.aborted; turn += 1) {
        const begun = performance.now()
        acts += 1
        const piece = pieces[turn % pieces.length]!
        const cookie = await piece.turnOver(site.desk.base)
        if (cookie === undefined) refused += 1
        else looks.push(await lookAt(site, piece.shown, piece.isPublic, cookie))
        const left = pace - (performance.now() - begun)
        if (left > 0) await pause(left)
      }
    }),
  )
  return { acts, refused, looks }
}

const states = new WeakMap<DeskWriter, Piece[]>()

class Piece {
  isPublic = false
  readonly #writer: DeskWriter
  readonly #id: string
  readonly #headline: string
  #page: string | undefined

  constructor(writer: DeskWriter, id: string, place: number) {
    this.#writer = writer
    this.#id = id
    // As testkit/desk-client.ts names them: with fewer than ten of each, none is part of another.
    this.#headline = `Piece ${place + 1} of ${writer.slug}`
  }

  get shown(): Shown {
    return { id: this.#id, writer: this.#writer.slug, headline: this.#headline, page: this.#page }
  }

  /** Publishes what is not public, and the other way round. Answers with the writer's cookie; undefined where it was refused. */
  async turnOver(base: string): Promise<string | undefined> {
    const at = `${base}/desk/api/pieces/${this.#id}`
    const nonce = this.isPublic ? undefined : (await this.#ask('POST', `${at}/preview`)).body?.nonce
    const done = this.isPublic
      ? await this.#ask('POST', `${at}/unpublish`)
      : await this.#ask('POST', `${at}/publish`, { nonce })
    if (done.status !== 200 || !done.cookie) {
      // It may have happened all the same.
      const { body } = await this.#ask('GET', at)
      if (body?.piece) this.isPublic = body.piece.status === 'approved'
      return undefined
    }
    this.isPublic = !this.isPublic
    const { url } = done.body!.piece!
    if (url) this.#page = new URL(url).pathname
    return done.cookie
  }

  async #ask(method: string, url: string, payload?: object): Promise<Answer> {
    try {
      const answer = await fetch(url, {
        method,
        headers: {
          cookie: `desk=${this.#writer.sessionToken}`,
          'sec-fetch-site': 'same-origin',
          ...(payload ? { 'content-type': 'application/json' } : {}),
        },
        ...(payload ? { body: JSON.stringify(payload) } : {}),
        signal: AbortSignal.timeout(20_000),
      })
      const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0]!)
      const body = (await answer.json()) as Answer['body']
      return { status: answer.status, body, cookie: cookies.find((one) => one.startsWith('wrote=')) }
    } catch {
      return { status: 0, body: undefined, cookie: undefined }
    }
  }
}

interface Answer {
  /** 0 where no answer came. */
  readonly status: number
  readonly body: { readonly nonce?: string; readonly piece?: { status: string; url: string | null } } | undefined
  readonly cookie: string | undefined
}
