/** A Dockerfile as its stages, and a .dockerignore as the question whether a path is in. As much of both as ours use. */

export interface Step {
  readonly instruction: string
  readonly rest: string
}

export interface Stage {
  readonly name: string
  readonly base: string
  readonly steps: readonly Step[]
}

export function readDockerfile(text: string): Stage[] {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter(Boolean)
  const stages: { name: string; base: string; steps: Step[] }[] = []
  for (const line of lines) {
    const [, instruction = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    if (!instruction) throw new Error(`not an instruction: ${line}`)
    if (instruction !== 'FROM') stages.at(-1)!.steps.push({ instruction, rest })
    else {
      const [, base = '', name = 'image'] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? []
      stages.push({ base, name, steps: [] })
    }
  }
  return stages
}

/** The last instruction of its kind: what an image does by itself. */
export function lastOf({ steps }: Stage, instruction: string): string {
  return steps.findLast((step) => step.instruction === instruction)?.rest ?? ''
}

/** The variables an image sets, by name. */
export function variablesOf({ steps }: Stage): Record<string, string> {
  const pairs = steps.filter(({ instruction }) => instruction === 'ENV').flatMap(({ rest }) => rest.split(' '))
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}

/** Whether a path of the repository is part of what a build sees: the last pattern that fits it, or its folder, decides. */
export function contextOf(dockerignore: string): (path: string) => boolean {
  const rules = dockerignore
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const pattern = line
        .replace(/^!/, '')
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replace(/\*\*\//g, '\u0000')
        .replace(/\*/g, '[^/]*')
        .replaceAll('\u0000', '(?:.*/)?')
      return { isIn: line.startsWith('!'), pattern: new RegExp(`^${pattern}(?:/.*)?$`) }
    })
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.isIn ?? true
}
