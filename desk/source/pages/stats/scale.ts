/** What the highest line of a chart says: a round number that is not passed, and whose half is a whole one. */
export function topOf(most: number): number {
  for (let ten = 1; ; ten *= 10) {
    const top = [2, 4, 6, 10].map((one) => one * ten).find((one) => one >= most)
    if (top !== undefined) return top
  }
}
