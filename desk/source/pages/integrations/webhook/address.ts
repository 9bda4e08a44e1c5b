import type { DeliveryState } from '../../../api/webhook.ts'

/** In the order in which they are of interest. */
export const states: readonly DeliveryState[] = ['pending', 'exhausted', 'held', 'delivered', 'cancelled']

/** The address of the log, of one state in it, or of one delivery. */
export function logAddress(id = '', state?: DeliveryState): string {
  const path = `/desk/edit/online-presence/deliveries${id && `/${id}`}`
  return state ? `${path}?state=${state}` : path
}

/** Which state the address asks for. */
export const stateOf = (query: URLSearchParams): DeliveryState | undefined =>
  states.find((state) => state === query.get('state'))
