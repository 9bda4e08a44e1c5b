/** A hub's wire shapes (W3C WebSub): the form that subscribes, and what is asked of a callback. */

/** What a subscriber asks for. */
export interface HubRequest {
  readonly mode: 'subscribe' | 'unsubscribe'
  /** The address of a feed, as its `rel="self"` says. */
  readonly topic: string
  readonly callback: string
  readonly leaseSeconds: number | undefined
  readonly secret: string | undefined
}

/** What a callback is asked or gets to know: the parameters are in the address. */
export interface HubQuestion {
  readonly mode: 'subscribe' | 'unsubscribe' | 'denied'
  readonly topic: string
  readonly challenge?: string
  readonly leaseSeconds?: number | undefined
  readonly reason?: string
}

/** The callback's own parameters stay, and come first. */
export function questionUrl(callback: string, question: HubQuestion): string {
  const { mode, topic, challenge, leaseSeconds, reason } = question
  const added = new URLSearchParams({
    'hub.mode': mode,
    'hub.topic': topic,
    ...(challenge === undefined ? {} : { 'hub.challenge': challenge }),
    ...(leaseSeconds === undefined ? {} : { 'hub.lease_seconds': String(leaseSeconds) }),
    ...(reason === undefined ? {} : { 'hub.reason': reason }),
  })
  return `${callback}${callback.includes('?') ? '&' : '?'}${added}`
}
