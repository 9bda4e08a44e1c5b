import { createKeyedHash, createSealer } from '#platform/crypto.ts'

/**
 * What protects readers' addresses: the database has each encrypted and as a hash, both with keys that it does not have. Links
 * in emails prove that their holder reads that mailbox, without a row for each.
 */
export interface ReaderKeys {
  /** Hashes to find an address by, the current key's first. */
  addressHashes(address: string): readonly Buffer[]
  /** Of the part after the @. */
  domainHash(address: string): Buffer
  sealAddress(address: string, readerId: string): Buffer
  openAddress(sealed: Buffer, readerId: string): string | undefined
  /** A reader's network address, for the record of consent. */
  sealNetwork(address: string): Buffer
  openNetwork(sealed: Buffer): string | undefined
  /** Whether the current key encrypted it. */
  isNewest(sealed: Buffer): boolean
  /** For the page where a reader sees and changes what they follow. */
  readerToken(readerId: string): string
  readerOf(token: string): string | undefined
  /** For one email: the link that ends what it was sent for. It names its reader too, who outlives what is kept of an email. */
  emailToken(emailId: string, readerId?: string): string
  emailOf(token: string): string | undefined
  /** The reader that the token of an email names. */
  readerOfEmail(token: string): string | undefined
  /** The same for the return path: lower case, since mail servers may change that. */
  returnToken(emailId: string): string
  emailOfReturn(token: string): string | undefined
}

const macLength = 16
const returnMacLength = 8

export function createReaderKeys(secrets: readonly string[]): ReaderKeys {
  const sealer = createSealer(secrets)
  const addresses = createKeyedHash(secrets, 'reader addresses')
  const domains = createKeyedHash(secrets, 'mail domains')
  const readers = createKeyedHash(secrets, 'reader links')
  const emails = createKeyedHash(secrets, 'email links')
  const returns = createKeyedHash(secrets, 'return paths')

  const tokenOf = (hash: typeof readers, id: string, length = macLength): Buffer =>
    Buffer.concat([bytesOf(id), hash.hashOf(id).subarray(0, length)])
  const idIn = (hash: typeof readers, token: Buffer, length = macLength): string | undefined => {
    if (token.length !== idLength + length) return undefined
    const id = idOf(token.subarray(0, idLength))
    return hash.isHashOf(id, token.subarray(idLength)) ? id : undefined
  }

  const idsIn = (token: string): { email: string; reader: string } | undefined => {
    const bytes = Buffer.from(token, 'base64url')
    if (bytes.length !== 2 * idLength + macLength) return undefined
    const [email, reader] = [idOf(bytes.subarray(0, idLength)), idOf(bytes.subarray(idLength, 2 * idLength))]
    return emails.isHashOf(`${email} ${reader}`, bytes.subarray(2 * idLength)) ? { email, reader } : undefined
  }

  return {
    addressHashes: (address) => addresses.hashesOf(comparable(address)),
    domainHash: (address) => domains.hashOf(domainOf(address)).subarray(0, 8),
    sealAddress: (address, readerId) => sealer.seal(address, `reader ${readerId}`),
    openAddress: (sealed, readerId) => sealer.open(sealed, `reader ${readerId}`),
    sealNetwork: (address) => sealer.seal(address, 'reader network'),
    openNetwork: (sealed) => sealer.open(sealed, 'reader network'),
    isNewest: sealer.isNewest,
    readerToken: (id) => tokenOf(readers, id).toString('base64url'),
    readerOf: (token) => idIn(readers, Buffer.from(token, 'base64url')),
    emailToken: (id, reader) =>
      (reader === undefined
        ? tokenOf(emails, id)
        : Buffer.concat([bytesOf(id), bytesOf(reader), emails.hashOf(`${id} ${reader}`).subarray(0, macLength)])
      ).toString('base64url'),
    emailOf: (token) => idIn(emails, Buffer.from(token, 'base64url')) ?? idsIn(token)?.email,
    readerOfEmail: (token) => idsIn(token)?.reader,
    returnToken: (id) => tokenOf(returns, id, returnMacLength).toString('hex'),
    emailOfReturn: (token) => idIn(returns, Buffer.from(token, 'hex'), returnMacLength),
  }
}

/** Mailboxes are the same in any case, by what all large providers do. */
const comparable = (address: string): string => address.toLowerCase()

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

const idLength = 16

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

const idOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
