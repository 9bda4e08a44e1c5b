/** Why a delivery is not to be believed. */
export type Refusal = 'missing_header' | 'malformed' | 'too_old' | 'too_new' | 'no_match'

/** The delivery is not from the site, or not as the site sent it. Answer 400 and do nothing else. */
export class WebhookError extends Error {
  readonly reason: Refusal

  constructor(reason: Refusal, message: string) {
    super(message)
    this.name = 'WebhookError'
    this.reason = reason
  }
}

export const malformed = (message: string): WebhookError => new WebhookError('malformed', message)
