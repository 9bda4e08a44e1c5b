import { answeredOf, load } from '../load/load.ts'
import type { Plan } from '../load/plan.ts'

const first = 400
const step = 1.2
/** Of what was asked: below that some kinds give way to others, and what is answered is no longer what was asked for. */
const whole = 0.99

/** The most of all kinds that is answered in a second, each in time: asked for more and more until some is not. */
export async function findPeak(way: Omit<Plan, 'phases'>, seconds: number, longestWait: number): Promise<number> {
  let peak = 0
  let failed = 0
  for (let rate = first; failed < 2; rate *= step) {
    const { phases } = await load({ ...way, phases: [{ name: 'ramp', rate, seconds }] })
    const [ramp] = phases
    const good = answeredOf(ramp!) / seconds
    const isWhole = ramp!.admitted.p99 <= longestWait && answeredOf(ramp!) >= whole * ramp!.asked
    console.log(
      `${rate.toFixed(0).padStart(6)}/s asked, ${good.toFixed(0)}/s answered, p99 ${ramp!.admitted.p99.toFixed(1)} ms`,
    )
    failed = isWhole ? 0 : failed + 1
    if (isWhole) peak = Math.max(peak, good)
    if (rate > 100 * first) break
  }
  if (peak === 0) throw new Error(`not even ${first} a second are answered: the machine is busy with something else`)
  return peak
}
