import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

/** A name server of a few lines, over UDP: it says whatever a test wants it to say. */

export interface NameRecord {
  readonly type: 'A' | 'AAAA' | 'CNAME'
  readonly data: string
  /** Whose record it is, if not the name's that was asked for. */
  readonly of?: string
}

/** `asked` counts the questions for this name and type, from 0. */
export type Zone = (
  name: string,
  type: string,
  asked: number,
) => readonly NameRecord[] | 'silence' | 'missing' | 'failure'

export interface NameServer {
  readonly address: string
  /** Every question since it was last read: `A good.outside.example`. */
  takeQuestions(): string[]
  close(): void
}

const types: Record<string, number> = { A: 1, CNAME: 5, AAAA: 28 }
const codes = { silence: 0, failure: 2, missing: 3 }

export async function serveNames(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked = new Map<string, number>()
  let questions: string[] = []
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    const question = `${type} ${name}`
    const times = asked.get(question) ?? 0
    asked.set(question, times + 1)
    questions.push(question)
    const said = zone(name, type, times)
    if (said === 'silence') return
    const records = typeof said === 'string' ? [] : said
    const head = Buffer.alloc(12)
    head.writeUInt16BE(query.readUInt16BE(0), 0)
    head.writeUInt16BE(0x8180 | (typeof said === 'string' ? codes[said] : 0), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    const answer = Buffer.concat([head, query.subarray(12, end), ...records.map((record) => encode(name, record))])
    socket.send(answer, port, address)
  })
  socket.bind(53, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: '127.0.0.1:53',
    takeQuestions: () => {
      const taken = questions
      questions = []
      return taken
    },
    close: () => socket.close(),
  }
}

function questionOf(query: Buffer): { name: string; type: string; end: number } {
  const labels: string[] = []
  let place = 12
  for (let length = query[place]!; length > 0; length = query[place]!) {
    labels.push(query.toString('latin1', place + 1, place + 1 + length))
    place += length + 1
  }
  const number = query.readUInt16BE(place + 1)
  const type = Object.keys(types).find((one) => types[one] === number) ?? String(number)
  return { name: labels.join('.').toLowerCase(), type, end: place + 5 }
}

/** Lives for no time at all (TTL 0). */
function encode(name: string, { type, data, of = name }: NameRecord): Buffer {
  const content = type === 'CNAME' ? encodeName(data) : Buffer.from(ipaddr.parse(data).toByteArray())
  const middle = Buffer.alloc(10)
  middle.writeUInt16BE(types[type]!, 0)
  middle.writeUInt16BE(1, 2)
  middle.writeUInt16BE(content.length, 8)
  return Buffer.concat([encodeName(of), middle, content])
}

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.of(0),
  ])
