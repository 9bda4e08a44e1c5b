import type { Attempt, Delivery } from '../../../api/webhook.ts'

/** The headers of one attempt. The second signature is the first in another spelling, so only the first is kept. */
export function headersOf({ id, event }: Delivery, attempt: Attempt): readonly (readonly [string, string])[] {
  const { timestamp, signature } = attempt
  return [
    ['user-agent', `Standfirst-Webhooks/1 (+${location.origin}/developers/webhooks)`],
    ['content-type', 'application/json; charset=utf-8'],
    ['webhook-id', id],
    ...(timestamp === null || signature === null
      ? []
      : ([
          ['webhook-timestamp', String(timestamp)],
          ['webhook-signature', signature],
          ['x-service-signature', spelt(id, timestamp, signature)],
        ] as const)),
    ['x-service-event', event],
    ['x-service-attempt', String(attempt.attempt)],
  ]
}

/** `v1,<base64> v1,<base64>` as `t=…,id=…,v1=<hex>,v1=<hex>`. */
const spelt = (id: string, timestamp: number, signature: string): string =>
  [`t=${timestamp}`, `id=${id}`, ...signature.split(' ').map((one) => `v1=${hexOf(one.replace(/^v1,/, ''))}`)].join(',')

const hexOf = (base64: string): string =>
  [...atob(base64)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
