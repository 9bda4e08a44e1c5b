import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** A certificate for one day that vouches for itself. */
export async function makeCertificate(name: string): Promise<{ readonly key: string; readonly cert: string }> {
  const shape = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=DNS:${name}`]
  const { stdout } = await execute('openssl', ['req', '-x509', ...shape, ...subject, '-keyout', '-', '-out', '-'])
  const part = (title: string) => new RegExp(`-----BEGIN ${title}-----[^]*-----END ${title}-----`).exec(stdout)![0]
  return { key: part('PRIVATE KEY'), cert: part('CERTIFICATE') }
}
