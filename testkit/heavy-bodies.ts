import { largestPiece } from '../server/platform/http/etag.ts'

/** As much of this as a body may hold, in place of the `@`. */
const filled = (frame: string, unit: string, limit = largestPiece) =>
  frame.replace('@', unit.repeat(Math.floor((limit - frame.length) / Buffer.byteLength(unit))))
const inPiece = (member: string) => `{"headline":"a","body_md":"b",${member}}`

/** Bodies that are large and wrong, by what is wrong with them. */
export const heavyBodies: Record<string, string> = {
  'wrong tags': filled(inPiece('"tags":[@1]'), '1,'),
  'wrong tags in a tag': filled(inPiece('"tags":[[@1]]'), '1,'),
  'lists in a member that is not ours': filled(inPiece('"x":{"y":[@1]}'), '[],'),
  'objects beside a name that is looked for in each': filled(inPiece('"constructor":1,"x":[@1]'), '{},'),
  'members that are not ours': `{${Array.from({ length: 110_000 }, (_, number) => `"${number}":1`).join()}}`,
  'a list for a body': filled('[@1]', '1,'),
  'as many tags as are read, each too long and with NUL': inPiece(
    `"tags":[${Array(4_990)
      .fill(`"${'x'.repeat(250)}\\u0000"`)
      .join()}]`,
  ),
  'a headline of spaces': filled('{"headline":"@","body_md":"b"}', ' '),
  'a headline of emoji': filled('{"headline":"@","body_md":"b"}', '😀'),
  'a body of nothing to see': filled('{"headline":"a","body_md":"@"}', '\u{e0041}'),
  'a body of NUL': filled('{"headline":"a","body_md":"@"}', '\\u0000'),
  'an address without end': filled(inPiece('"external_url":"http://@ "'), 'a.'),
}
