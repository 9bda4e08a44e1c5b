import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { readEnvFile } from '../compose-file.ts'

/** The three data nodes of a site: where each is, and what `deploy/ha/settings` gives it, as an operator runs it. */

export interface Place {
  readonly name: string
  readonly address: string
  /** What a command begins with to run there, such as `ip netns exec node1`; empty on this machine itself. */
  readonly enter: readonly string[]
  readonly settings: Readonly<Record<string, string>>
}

export const passwords = {
  SUPERUSER_PASSWORD: 'of-trials-superuser',
  REPLICATION_PASSWORD: 'of-trials-replication',
  PATRONI_PASSWORD: 'of-trials-patroni',
}

const settings = fileURLToPath(new URL('../../deploy/ha/settings', import.meta.url))

/** Addresses of this process alone, so that two runs at once have each their own ports 5432, 8008, 2379 and 2380. */
const loopback = (last: number): string => `127.${64 + ((process.pid >> 8) & 127)}.${process.pid & 255}.${last}`

/** On this machine, or each in a network namespace of its own. */
export function placesOf(
  addresses: readonly string[] = [1, 2, 3].map(loopback),
  enter: (name: string) => readonly string[] = () => [],
): Place[] {
  return addresses.map((address, at) => {
    const name = `node${at + 1}`
    const printed = execFileSync(settings, [address, ...addresses], {
      env: { ...process.env, ...passwords },
      encoding: 'utf8',
    })
    return { name, address, enter: enter(name), settings: readEnvFile(printed) }
  })
}
