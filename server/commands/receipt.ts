import { readFile } from 'node:fs/promises'
import { checkReceipt } from '#features/pieces/receipts/check.ts'
import { urlsFor } from '#features/urls.ts'
import { cliTranslator } from '#messages/cli.ts'
import { normaliseLine } from '#platform/text/normalise.ts'
import { CommandError } from './command-support.ts'

const t = cliTranslator()

export interface Verifying {
  readonly piece?: string
  readonly key?: string
}

/** A piece has at most 1 MiB of HTML, and as much text. */
const largestAnswer = 16 * 2 ** 20
const patience = 15_000

/** `standfirst receipt verify`: offline with files; with an address it fetches what was not given. */
export async function verify(receipt: string, { piece, key }: Verifying): Promise<void> {
  const site = addressIn(receipt)
  if (!site && !key)
    throw new CommandError(
      t('cli.receipt.no_keys', { flag: '--key <file>', path: '/.well-known/standfirst-receipts.json' }),
    )
  const verdict = checkReceipt(
    {
      signed: site ? await fetched(site.receipt) : await saved(receipt),
      piece: piece ? await saved(piece) : site && (await fetched(site.piece)),
      keys: key ? await saved(key) : await fetched(site!.keys),
      id: site?.id,
    },
    t,
  )
  // Sentences quote untrusted text, which could contain lines that say the opposite.
  const lines = (mark: string, sentences: readonly string[]) =>
    sentences.map((sentence) => `  ${mark} ${normaliseLine(sentence)}`)
  if (verdict.broken.length > 0) {
    console.log([t('cli.receipt.not_verified'), ...lines('✗', verdict.broken)].join('\n'))
    process.exitCode = 1
    return
  }
  console.log(
    [
      t('cli.receipt.verified'),
      ...lines('✓', verdict.proven),
      t('cli.receipt.not_proven'),
      ...lines('–', verdict.unproven),
    ].join('\n'),
  )
}

/** The URLs to fetch for this address; undefined for a file. */
function addressIn(given: string) {
  if (!/^https?:\/\//i.test(given)) return undefined
  const [, base, id] = /^(https?:\/\/.+)\/p\/([0-9a-f-]{36})(?:\/receipt)?\/?$/i.exec(given) ?? []
  if (!base || !id) throw new CommandError(t('cli.receipt.bad_address', { path: '/p/<uuid>/receipt' }))
  const urls = urlsFor(base)
  return { id, receipt: urls.receipt(id), piece: urls.pieceJson(id), keys: urls.receiptKeys() }
}

async function saved(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandError(t('cli.file_unreadable', { file, reason: error.message }))
  })
  return parsed(text, file)
}

async function fetched(address: string): Promise<unknown> {
  const answer = await fetch(address, {
    headers: { accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
  }).catch((error: Error) => {
    const reason = (error.cause as Error)?.message ?? error.message
    throw new CommandError(t('cli.receipt.unreachable', { address, reason }))
  })
  if (answer.status >= 300 && answer.status < 400)
    throw new CommandError(
      t('cli.receipt.redirected', { address, target: normaliseLine(answer.headers.get('location') ?? '') }),
    )
  if (answer.status === 404) throw new CommandError(t('cli.receipt.not_found', { address }))
  if (!answer.ok) throw new CommandError(t('cli.receipt.failed', { address, status: answer.status }))
  return parsed(await bodyOf(answer, address), address)
}

async function bodyOf(answer: Response, address: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > largestAnswer) throw new CommandError(t('cli.receipt.too_large', { address }))
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parsed(text: string, from: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandError(t('cli.not_json', { file: from }))
  }
}
