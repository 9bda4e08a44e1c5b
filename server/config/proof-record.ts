import { readFileSync } from 'node:fs'
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { cliTranslator } from '#messages/cli.ts'
import { ConfigError } from './config.ts'

const t = cliTranslator()

/** The result of `npm run proof`, shown on the page /trust. */
export const ProofRecord = Type.Object({
  at: Type.String({ format: 'date-time' }),
  proved: Type.Boolean(),
  commit: Type.String({ pattern: '^[0-9a-f]{40}$' }),
  /** Whether the working tree had uncommitted changes. */
  changed: Type.Boolean(),
  seed: Type.Integer(),
  routes: Type.Integer(),
  answers: Type.Integer(),
  canaries: Type.Integer(),
  published: Type.Integer(),
  breaches: Type.Integer(),
  planted: Type.Object({ found: Type.Integer(), of: Type.Integer() }),
  timings: Type.Object({ alike: Type.Integer(), of: Type.Integer() }),
})
export type ProofRecord = Static<typeof ProofRecord>

/** The record shipped with this version. */
export const shippedProof: URL = new URL('../proof.json', import.meta.url)

/** Reads PROOF_FILE, or the record shipped with this version; undefined if neither exists. */
export function readProofRecord({ PROOF_FILE }: { readonly PROOF_FILE: string }): ProofRecord | undefined {
  let record: unknown
  try {
    record = JSON.parse(readFileSync(PROOF_FILE || shippedProof, 'utf8'))
  } catch (error) {
    if (!PROOF_FILE) return undefined
    throw new ConfigError([t('cli.config.proof_unreadable', { reason: (error as Error).message })])
  }
  if (Check(ProofRecord, record)) return record
  const file = PROOF_FILE || 'server/proof.json'
  throw new ConfigError([t('cli.config.proof_invalid', { file, command: 'npm run proof -- --keep' })])
}
