/** The places of cards beside the text: each at its passage, or below the one before it. */

const gap = 12

export function stackCards(
  cards: readonly { readonly wanted: number; readonly height: number }[],
  begin: number,
): readonly number[] {
  let free = begin
  return cards.map(({ wanted, height }) => {
    const top = Math.max(wanted, free)
    free = top + height + gap
    return top
  })
}
