/** What a process is going to do, as far as that demands settings. */
export interface Purpose {
  readonly surfaces?: readonly Door[]
  readonly jobs?: boolean | undefined
}

/** At which address each door signs in where the owner's is not given. */
const addresses = {
  public: ['PUBLIC_DATABASE_URL', 'REPLICA_DATABASE_URL'],
  write: ['API_DATABASE_URL'],
  desk: ['DESK_DATABASE_URL'],
} as const
type Door = keyof typeof addresses

export const mailNeeded =
  'SMTP_URL is required in production where jobs run, such as smtps://user:password@mail.example'

export const jobsAddressNeeded = 'WORKER_DATABASE_URL or DATABASE_URL is required where jobs run'

export const doorAddressNeeded = (door: Door): string =>
  `${addresses[door][0]} or DATABASE_URL is required for the door "${door}"`

const besidePooler = (sentence: string): string =>
  `${sentence.replace(' or DATABASE_URL', '')} beside POOLER: the address of the owner is never used through a pooler`

export const listenerNeeded =
  'DIRECT_DATABASE_URL is required beside POOLER where public pages are read from a replica: changes are heard there'

export const oneReplicaOnly =
  'REPLICA_DATABASE_URL must name one replica where public pages are served. Several are for a worker alone; another server reads from another'

/** What is lacking for it, whatever else is wrong. */
export function lackingFor(
  { surfaces = [], jobs }: Purpose,
  given: (name: string) => boolean,
  pooled = false,
): string[] {
  const isOwner = given('DATABASE_URL') && !pooled
  const said = pooled ? besidePooler : (sentence: string) => sentence
  const known = ['DATABASE_URL', 'WORKER_DATABASE_URL', ...Object.values(addresses).flat()]
  if (!known.some(given)) return ['DATABASE_URL is required, such as postgres://owner@127.0.0.1:5432/standfirst']
  return [
    ...surfaces
      .filter((door) => !isOwner && !addresses[door].some(given))
      .map(doorAddressNeeded)
      .map(said),
    ...(jobs && !isOwner && !given('WORKER_DATABASE_URL') ? [said(jobsAddressNeeded)] : []),
    ...(pooled && surfaces.includes('public') && given('REPLICA_DATABASE_URL') && !given('DIRECT_DATABASE_URL')
      ? [listenerNeeded]
      : []),
  ]
}
