import { answeredOf, load } from '../../../testkit/load/load.ts'
import type { Plan } from '../../../testkit/load/plan.ts'

const first = 400
const step = 1.2
const highest = 100 * first
/** Seconds at the first rate before any counts: a server that has just started has nothing compiled yet. */
const warming = 20
/** Of what was asked: below that some kinds give way to others, and what is answered is no longer what was asked for. */
const whole = 0.99

/** The most of all kinds that is answered in a second, each in time: asked for more and more until some is not. */
export async function findPeak(way: Omit<Plan, 'phases'>, seconds: number, longestWait: number): Promise<number> {
  /** What was answered in a second; undefined where something was not, or late. */
  const answeredAt = async (rate: number): Promise<number | undefined> => {
    const { phases } = await load({ ...way, phases: [{ name: 'ramp', rate, seconds }] })
    const [ramp] = phases
    const answered = answeredOf(ramp!)
    console.log(
      `${rate.toFixed(0).padStart(6)}/s asked, ${(answered / seconds).toFixed(0)}/s answered, p99 ${ramp!.admitted.p99.toFixed(1)} ms`,
    )
    const isWhole = ramp!.admitted.p99 <= longestWait && answered >= whole * ramp!.asked
    return isWhole ? answered / seconds : undefined
  }
  await load({ ...way, phases: [{ name: 'warm', rate: first, seconds: warming }] })
  let peak = 0
  for (let rate = first, failed = 0; failed < 2 && rate <= highest; rate *= step) {
    // Twice, for a machine that stutters: a peak found too low would make four times it a small flood.
    const answered = (await answeredAt(rate)) ?? (await answeredAt(rate))
    failed = answered === undefined ? failed + 1 : 0
    peak = Math.max(peak, answered ?? 0)
  }
  if (peak === 0) throw new Error(`not even ${first} a second are answered: the machine is busy with something else`)
  return peak
}
