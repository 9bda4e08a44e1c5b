import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildImage, makeContext, readDockerfile, root } from './image.ts'

/** The first part of `deploy/rehearse`: every step of the Dockerfile. */

const read = (name: string): string => readFileSync(join(root, name), 'utf8')

await buildImage(readDockerfile(read('deploy/Dockerfile')), makeContext(read('.dockerignore')))
