const words = 'tea kettle steam café naïve 茶 🍵 morning porcelain slowly “quoted” the of and with water'.split(' ')

/** Every save of a draft that somebody types: mostly they add at the end, at times they go back and change something. The same every time. */
export function typedDraft(saves: number, longest: number): string[] {
  let seed = 42
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const sentence = () => `${Array.from({ length: 4 }, () => words[random(words.length)]).join(' ')}. `
  const bodies: string[] = ['Tea. ']
  while (bodies.length < saves) {
    const body = [...bodies.at(-1)!]
    const act = random(10)
    const place = random(body.length)
    const isLong = body.length > (longest * bodies.length) / saves
    if (act < 6 && !isLong) body.push(...sentence())
    else if (act < 8) body.splice(place, 12, ...[...sentence()].slice(0, 14))
    else body.splice(place, isLong ? 60 : 5)
    if (body.length < 5) body.push('🍵', ...sentence())
    // A save that changes nothing is none.
    if (body.join('') === bodies.at(-1)) body.push('!')
    bodies.push(body.join(''))
  }
  return bodies
}
