import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { scratchFolder } from '../../../testkit/engines/engine.ts'
import { type Program, startWorker } from '../../../testkit/engines/site.ts'

/** A worker on a machine whose clock can be set while it runs (libfaketime). */

const library = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0]

export interface SkewedWorker extends Program {
  /** By so many seconds from now on. */
  setAhead(seconds: number): void
  /** Lines of its log with this event. */
  said(event: string): { readonly ahead: number }[]
  metric(name: string): Promise<number>
}

export async function startSkewedWorker(env: Readonly<Record<string, string>>): Promise<SkewedWorker> {
  if (!library) throw new Error('no libfaketime on this machine. Run: sudo bash .ci/engines')
  const folder = scratchFolder('clock')
  const clock = `${folder}/clock`
  const log = `${folder}/log`
  const setAhead = (seconds: number) => writeFileSync(clock, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  setAhead(0)
  const program = await startWorker({
    env: {
      ...env,
      LOG_LEVEL: 'info',
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
      // Wrong is what time it is, not how fast it goes.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    log,
  })
  return Object.assign(program, {
    setAhead,
    said: (event: string) =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.includes(`"event":"${event}"`))
        .map((line) => JSON.parse(line)),
    metric: async (name: string) => {
      const text = await (await fetch(`${program.adminBase}/metrics`)).text()
      return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
    },
  })
}
