import { notFound } from './error.ts'

const atTheEnd = /(?:^|[/:])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** A UUID, or the one in which the permanent `id` of a piece ends. There is nothing by any other name. */
export function uuidIn(id: string): string {
  const uuid = atTheEnd.exec(id)?.[1]
  if (uuid === undefined) throw notFound(`There is nothing with the id "${id}": an id is a UUID, or ends in one.`)
  return uuid
}
