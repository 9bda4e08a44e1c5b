/**
 * The requirements of OWASP ASVS 5.0.0 at levels 1 and 2, by their numbers alone, of the chapters that apply: all but
 * V10 (OAuth) and V17 (WebRTC), of which the site has neither.
 */
const sections = `
  V1.1 L2 1 2
  V1.2 L1 1 2 3 4 5 L2 6 7 8 9
  V1.3 L1 1 2 L2 3 4 5 6 7 8 9 10 11
  V1.4 L2 1 2 3
  V1.5 L1 1 L2 2
  V2.1 L1 1 L2 2 3
  V2.2 L1 1 2 L2 3
  V2.3 L1 1 L2 2 3 4
  V2.4 L2 1
  V3.2 L1 1 2
  V3.3 L1 1 L2 2 3 4
  V3.4 L1 1 2 L2 3 4 5 6
  V3.5 L1 1 2 3 L2 4 5
  V3.7 L2 1 2
  V4.1 L1 1 L2 2 3
  V4.2 L2 1
  V4.3 L2 1 2
  V4.4 L1 1 L2 2 3 4
  V5.1 L2 1
  V5.2 L1 1 2 L2 3
  V5.3 L1 1 2
  V5.4 L2 1 2 3
  V6.1 L1 1 L2 2 3
  V6.2 L1 1 2 3 4 5 6 7 8 L2 9 10 11 12
  V6.3 L1 1 2 L2 3 4
  V6.4 L1 1 2 L2 3 4
  V6.5 L2 1 2 3 4 5
  V6.6 L2 1 2 3
  V6.8 L2 1 2 3 4
  V7.1 L2 1 2 3
  V7.2 L1 1 2 3 4
  V7.3 L2 1 2
  V7.4 L1 1 2 L2 3 4 5
  V7.5 L2 1 2
  V7.6 L2 1 2
  V8.1 L1 1 L2 2
  V8.2 L1 1 2 L2 3
  V8.3 L1 1
  V8.4 L2 1
  V9.1 L1 1 2 3
  V9.2 L1 1 L2 2 3 4
  V11.1 L2 1 2
  V11.2 L2 1 2 3
  V11.3 L1 1 2 L2 3
  V11.4 L1 1 L2 2 3 4
  V11.5 L2 1
  V11.6 L2 1
  V12.1 L1 1 L2 2 3
  V12.2 L1 1 2
  V12.3 L2 1 2 3 4
  V13.1 L2 1
  V13.2 L2 1 2 3 4 5
  V13.3 L2 1 2
  V13.4 L1 1 L2 2 3 4 5
  V14.1 L2 1 2
  V14.2 L1 1 L2 2 3 4
  V14.3 L1 1 L2 2 3
  V15.1 L1 1 L2 2 3
  V15.2 L1 1 L2 2 3
  V15.3 L1 1 L2 2 3 4 5 6 7
  V16.1 L2 1
  V16.2 L2 1 2 3 4 5
  V16.3 L2 1 2 3 4
  V16.4 L2 1 2 3
  V16.5 L2 1 2 3
`

export interface Requirement {
  readonly id: string
  readonly level: string
}

export const requirements: readonly Requirement[] = sections
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [section = '', ...words] = line.trim().split(' ')
    let level = ''
    return words.flatMap((word) => {
      if (word.startsWith('L')) level = word.slice(1)
      return word.startsWith('L') ? [] : [{ id: `${section}.${word}`, level }]
    })
  })
