import { startPrimary } from '../../../testkit/engines/postgres.ts'

/** `immediate` is PostgreSQL's own crash: nothing is written out, and the next start recovers from the log. */
type StopMode = 'fast' | 'immediate'

export interface Cluster {
  /** A new, empty database; its address as a superuser, or as another one. */
  createDatabase(name: string): Promise<(user?: string) => string>
  restart(mode: StopMode): Promise<void>
}

/** A PostgreSQL of one run's own. Processes die here and machines do not, so nothing waits for the disk. */
export async function startCluster(): Promise<Cluster> {
  const primary = await startPrimary({ fsync: 'off' })
  return {
    createDatabase: async (name) => {
      await primary.query('postgres', `create database ${name}`)
      return (user) => primary.urlOf(name, user)
    },
    restart: async (mode) => {
      await primary.stop(mode)
      await primary.start()
    },
  }
}
