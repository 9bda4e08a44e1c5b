import type { CreatingResult, FaceResult, HttpResult } from './http.ts'
import type { PeersResult } from './peers/report.ts'
import type { PixelResult } from './pixel.ts'
import type { BufferResult } from './reads.ts'
import type { SearchResult } from './search/cost.ts'
import type { ToolResult } from './tools.ts'
import type { WebhooksResult } from './webhooks.ts'

/** Measured figures, kept between runs in results.json. */
export interface SizeResults {
  readonly seeding?: { readonly rowSeconds: number; readonly indexSeconds: number }
  readonly buffers?: readonly BufferResult[]
  readonly search?: SearchResult
  readonly http?: readonly HttpResult[]
  readonly creating?: readonly CreatingResult[]
  readonly face?: readonly FaceResult[]
  readonly pixel?: PixelResult
  readonly tools?: readonly ToolResult[]
  readonly webhooks?: WebhooksResult
  readonly peers?: PeersResult
  /** Date, commit and question seed of each measured part. */
  readonly sources?: Readonly<Record<string, Source>>
}
export interface Source {
  readonly date?: string
  readonly commit: string
  /** The seed of the questions, where they were drawn. */
  readonly rng?: number
}
export type Results = Readonly<Record<string, SizeResults>>
