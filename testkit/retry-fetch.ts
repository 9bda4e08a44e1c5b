import { until } from './until.ts'

/** A server that shares its process with its test is too busy for a moment now and then: it says so, and is asked again. */
export const patientFetch = (address: string, init?: RequestInit): Promise<Response> =>
  until(async () => {
    const answer = await fetch(address, init)
    return answer.status !== 503 && answer
  }, `${address} answers anything but 503`)
