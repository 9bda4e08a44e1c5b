import { percentile } from '../../../testkit/percentile.ts'

export interface Figures {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

export const figuresOf = (values: readonly number[]): Figures => ({
  p50: percentile(values, 0.5),
  p95: percentile(values, 0.95),
  p99: percentile(values, 0.99),
  max: percentile(values, 1),
})
