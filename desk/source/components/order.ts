/** The order of lists that a writer sorts. */

/** The list with one item moved. */
export function moveItem<Member>(list: readonly Member[], from: number, to: number): readonly Member[] {
  const next = [...list]
  next.splice(Math.min(Math.max(to, 0), list.length - 1), 0, ...next.splice(from, 1))
  return next
}

/** Sorts by these ids; items without one, such as new ones, come last. */
export function sortByIds<Member extends { readonly id: string }>(
  list: readonly Member[],
  ids: readonly string[],
): readonly Member[] {
  const place = new Map(ids.map((id, at) => [id, at]))
  return list.toSorted((one, other) => (place.get(one.id) ?? ids.length) - (place.get(other.id) ?? ids.length))
}
