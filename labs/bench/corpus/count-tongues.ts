import type { Counted } from './tables.ts'
import { handbook } from './texts.ts'

/** Words of other tongues with letters English has not, most common first. */
export function accented(): string[] {
  return ['fr-FR', 'de-DE', 'cs-CZ', 'pl-PL', 'es-ES', 'sv-SE', 'tr-TR', 'vi-VN', 'el-GR', 'ru-RU'].map((locale) => {
    const counts = new Map<string, number>()
    for (const paragraph of handbook(locale)) {
      for (const [word] of paragraph.matchAll(/\p{L}*[^\x00-\x7F\P{L}]\p{L}*/gu)) {
        if (word.length > 3 && word.length < 16) counts.set(word, (counts.get(word) ?? 0) + 1)
      }
    }
    return top(counts, 220).join(' ')
  })
}

/** Characters of Chinese, Japanese and Korean, and which comes after which. */
export function scripts(): Counted['scripts'] {
  return ['zh-CN', 'ja-JP', 'ko-KR'].map((locale) => {
    const singles = new Map<string, number>()
    const pairs = new Map<string, number>()
    for (const paragraph of handbook(locale)) {
      for (const [run] of paragraph.matchAll(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}、。，！？ー ]{6,}/gu)) {
        if (run.trim().length < 6) continue
        let before = '。'
        for (const one of run.trim()) {
          singles.set(one, (singles.get(one) ?? 0) + 1)
          pairs.set(before + one, (pairs.get(before + one) ?? 0) + 1)
          before = one
        }
      }
    }
    const characters = top(singles, 1_500)
    const known = new Set(characters)
    const kept = top(pairs, 4_000).filter((pair) => [...pair].every((one) => known.has(one)))
    const step = (count: number) => Math.round(4 * Math.log2(count))
    return {
      characters: characters.join(''),
      weights: characters.map((one) => step(singles.get(one)!)),
      pairs: kept.join(''),
      pairWeights: kept.map((one) => step(pairs.get(one)!)),
    }
  })
}

const top = (counts: ReadonlyMap<string, number>, size: number): string[] =>
  [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, size)
    .map(([key]) => key)
