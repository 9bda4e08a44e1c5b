/** What was measured of one program at one read, medians of the rounds. */
export interface PeerFigures {
  readonly name: string
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly processor: number
  readonly database: number
  /** Our rate to its, round by round. */
  readonly times: number
}

export interface PeersResult {
  readonly posts: number
  readonly rounds: number
  readonly programs: readonly {
    readonly name: string
    readonly packages: number
    /** Megabytes held at the end. */
    readonly memory: number
    readonly database: string
  }[]
  readonly reads: readonly { readonly name: string; readonly figures: readonly PeerFigures[] }[]
  readonly installSeconds: number
  readonly seconds: number
}
