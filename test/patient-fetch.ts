import { setTimeout as pause } from 'node:timers/promises'

/** A server that shares its process with its test is too busy for a moment now and then: it says so, and is asked again. */
export async function patientFetch(address: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(address, init)
  if (answer.status !== 503) return answer
  await pause(200)
  return patientFetch(address, init)
}
