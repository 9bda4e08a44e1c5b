import type { Piece } from '../types.generated.ts'
import { malformed } from './refusal.ts'

interface Delivered {
  /** The same for every attempt and every resend: by it you know what you have already. */
  readonly id: string
  /** When this attempt was signed. */
  readonly timestamp: Date
}

export interface PiecePublished extends Delivered {
  readonly event: 'piece.published'
  /** Rises with each piece of the writer; a gap means a piece you were not sent. */
  readonly sequence: number
  /** The piece was too large to send whole: `content_html` is null, and `url` leads to all of it. */
  readonly truncated: boolean
  readonly piece: Piece
}

export interface WebhookPing extends Delivered {
  readonly event: 'webhook.ping'
  /** Answer with it, as text, to show that the address is yours. */
  readonly challenge: string
}

/** An event that came to be after this version. Answer 2xx and leave it be. */
export interface UnknownEvent extends Delivered {
  readonly event: 'unknown'
  readonly body: unknown
}

export type WebhookEvent = PiecePublished | WebhookPing | UnknownEvent

/** Only for bytes whose signature was good: their shape is trusted because their sender is. */
export function readEvent(id: string, seconds: number, bytes: Uint8Array): WebhookEvent {
  const delivered = { id, timestamp: new Date(seconds * 1000) }
  const body = parsed(bytes)
  const { _service: service, ...rest } = Object(body)
  if (service?.event === 'piece.published') {
    const { sequence, truncated = false } = service
    return { ...delivered, event: 'piece.published', sequence, truncated, piece: rest }
  }
  if (service?.event === 'webhook.ping') return { ...delivered, event: 'webhook.ping', challenge: rest.challenge }
  return { ...delivered, event: 'unknown', body }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw malformed('The body is no JSON in UTF-8.')
  }
}
