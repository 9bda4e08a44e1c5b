import { readFile } from 'node:fs/promises'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { checkChains, findBroken } from '#features/accounts/history.ts'
import { SecurityEvent } from '#features/accounts/schema.ts'
import type { Config } from '#platform/config.ts'
import { asOwner } from './as-owner.ts'
import { CommandError } from './command-error.ts'

/** `standfirst account history-verify`: every chain of the database, or one that its owner downloaded. */
export async function verify(config: () => Config, file: string | undefined): Promise<void> {
  if (file !== undefined) return verifyFile(file)
  const { chains, broken } = await asOwner(config(), (owner) =>
    checkChains(async (text, values) => (await owner.query(text, values)).rows),
  )
  for (const { account_id, broken: number } of broken)
    console.log(
      `Account ${account_id}: event ${number} is wrong or missing. What comes before it is as it was written.`,
    )
  if (broken.length > 0) {
    console.log(`${broken.length} of ${chains} histories are broken.`)
    process.exitCode = 1
  } else console.log(`Verified: ${chains} ${chains === 1 ? 'history is' : 'histories are'} as written.`)
}

async function verifyFile(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandError(`${file} cannot be read: ${error.message}.`)
  })
  const history = parsed(text)
  if (!Check(Type.Array(SecurityEvent), history))
    throw new CommandError(`${file} is no security history. Download yours at the desk, under Account.`)
  const broken = findBroken(history)
  if (broken === undefined) console.log(`Verified: ${history.length} events, each as written after the one before.`)
  else {
    console.log(`Event ${broken} was changed, or what came before it is missing.`)
    process.exitCode = 1
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
