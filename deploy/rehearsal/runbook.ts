import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CodeBlock, codeBlocksIn } from '../../testkit/file-formats.ts'

/** The code blocks of docs/operations.md and deploy/README.md that are typed on machines, by section. */

export interface Block {
  readonly document: string
  readonly section: string
  /** Index of the block in its section, from 0. */
  readonly place: number
  /** The machine, or machines, it is typed on: the word after ```sh. */
  readonly on: string
  readonly code: string
  readonly line: number
}

export const documents = ['docs/operations.md', 'deploy/README.md'] as const

const root = join(import.meta.dirname, '../..')

/** The words after ```sh that name a machine, or several. */
const machines = ['db', 'web', 'node1', 'node3', 'nodes', 'others']

export const isForMachines = ({ language, marker }: CodeBlock): boolean =>
  language === 'sh' && machines.includes(marker)

export function blocksOf(document: string, markdown = readFileSync(join(root, document), 'utf8')): Block[] {
  const lines = markdown.split('\n')
  const sectionOf = ({ line }: CodeBlock) =>
    lines
      .slice(0, line)
      .findLast((one) => one.startsWith('## '))
      ?.slice(3) ?? ''
  const counted = new Map<string, number>()
  return codeBlocksIn(markdown)
    .filter(({ language }) => language === 'sh')
    .map((fence) => {
      const section = sectionOf(fence)
      const place = counted.get(section) ?? 0
      counted.set(section, place + 1)
      return { document, section, place, on: fence.marker, code: fence.code, line: fence.line }
    })
}
