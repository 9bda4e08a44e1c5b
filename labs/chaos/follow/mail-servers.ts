import { type ChildProcess, execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  isListening,
  requirePrograms,
  scratchFolder,
  startEngine,
  stopEngine,
  waitUntil,
} from '../../../testkit/engines/engine.ts'

/**
 * The mail of a small internet on loopback addresses, in the namespaces of the run: a relay that takes what the site sends
 * and returns what it cannot deliver (Postfix), the servers of all receiving domains (Postfix, with OpenDKIM to verify), and
 * mailboxes (Dovecot). Names are resolved by dnsmasq, which has the site's DKIM key.
 */

/** Not below `test`: the resolver of OpenDKIM answers for that itself. */
const senderDomain = 'site.example'
const bounceDomain = `bounces.${senderDomain}`
const bounceAddress = `bounces@${bounceDomain}`
const selector = 'run'

const relayAddress = '127.0.0.2'
const receiverAddress = '127.0.0.3'
/** The library of OpenDKIM asks no resolver at a loopback address. */
const namesAddress = '10.77.1.1'
const lmtpPort = 2400
const milterPort = 8891
/** Uid and gid of `mail` in Debian. */
const mailUser = 8

export interface MailServers {
  /** Settings of the site. */
  readonly env: Readonly<Record<string, string>>
  /** Mailboxes by domain, in Maildir format. */
  readonly mailboxes: string
  /** The Maildir of what comes back. */
  readonly bounces: string
  /** Emails that the relay and the receivers still hold. */
  queued(): number
  stopRelay(): Promise<void>
  startRelay(): Promise<void>
}

/** What recipients' servers answer by how the address begins: `gone-` never takes an email, `full-` not now. */
const recipients = `/^gone-/ 550 5.1.1 No such user
/^full-/ 452 4.2.2 The mailbox is full
`

export async function startMailServers(): Promise<MailServers> {
  requirePrograms('postfix', 'opendkim', 'dovecot', 'dnsmasq')
  execFileSync('ip', ['link', 'set', 'lo', 'up'])
  // Postfix listens only at addresses that an interface has.
  for (const address of [relayAddress, receiverAddress, namesAddress])
    execFileSync('ip', ['address', 'add', `${address}/32`, 'dev', 'lo'])
  const folder = scratchFolder('mail')
  execFileSync('chmod', ['755', folder])
  const mailboxes = join(folder, 'mailboxes')
  mkdirSync(mailboxes)
  execFileSync('chown', [`${mailUser}:${mailUser}`, mailboxes])
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  await startNames(folder, publicKey.toString('base64'))
  await startVerifier(folder)
  await startMailboxes(folder, mailboxes)
  const receiver = await startPostfix(folder, 'receiver', receiverAddress, {
    virtual_mailbox_domains: `regexp:${fileWith(folder, 'domains', '/\\.test$/ yes\n')}`,
    smtpd_milters: `inet:127.0.0.1:${milterPort}`,
    milter_default_action: 'tempfail',
    smtpd_recipient_restrictions: `check_recipient_access regexp:${fileWith(folder, 'recipients', recipients)}`,
  })
  const relay = await startPostfix(folder, 'relay', relayAddress, {
    virtual_mailbox_domains: bounceDomain,
    recipient_delimiter: '+',
    default_transport: `smtp:[${receiverAddress}]:25`,
    smtp_bind_address: relayAddress,
    smtp_dns_support_level: 'disabled',
    default_destination_concurrency_limit: '20',
    minimal_backoff_time: '2s',
    maximal_backoff_time: '5s',
    queue_run_delay: '2s',
  })
  const bounces = join(mailboxes, bounceDomain)
  return {
    env: {
      SMTP_URL: `smtp://${relayAddress}:25`,
      MAIL_FROM: `The Tea Site <post@${senderDomain}>`,
      BOUNCE_ADDRESS: bounceAddress,
      BOUNCE_MAILDIR: bounces,
      DKIM_KEY: privateKey,
      DKIM_SELECTOR: selector,
    },
    mailboxes,
    bounces,
    queued: () => relay.queued() + receiver.queued(),
    stopRelay: relay.stop,
    startRelay: relay.start,
  }
}

function fileWith(folder: string, name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** A key longer than 255 bytes is several strings. */
async function startNames(folder: string, key: string): Promise<void> {
  const record = [`v=DKIM1; k=rsa; p=${key.slice(0, 200)}`, key.slice(200)].map((part) => `"${part}"`).join(',')
  const config = `port=53
listen-address=${namesAddress}
bind-interfaces
no-resolv
no-hosts
user=root
txt-record=${selector}._domainkey.${senderDomain},${record}
`
  startEngine(['dnsmasq', '--keep-in-foreground', `--conf-file=${fileWith(folder, 'dnsmasq.conf', config)}`], {
    log: join(folder, 'dnsmasq.log'),
  })
  await waitUntil('dnsmasq', () => isListening(53, namesAddress))
}

async function startVerifier(folder: string): Promise<void> {
  const config = `Mode v
Socket inet:${milterPort}@127.0.0.1
UserID opendkim
Syslog no
AuthservID mx.test
AlwaysAddARHeader yes
Nameservers ${namesAddress}
`
  startEngine(['opendkim', '-f', '-x', fileWith(folder, 'opendkim.conf', config)], {
    log: join(folder, 'opendkim.log'),
  })
  await waitUntil('opendkim', () => isListening(milterPort))
}

/** All addresses of a domain share a mailbox: Delivered-To says whose an email is. */
async function startMailboxes(folder: string, mailboxes: string): Promise<void> {
  const run = join(folder, 'dovecot')
  mkdirSync(run)
  const config = `protocols = lmtp
listen = 127.0.0.1
base_dir = ${run}
log_path = ${join(folder, 'dovecot.log')}
ssl = no
first_valid_uid = 1
mail_location = maildir:${mailboxes}/%d
recipient_delimiter = +
passdb {
  driver = static
  args = nopassword=y
}
userdb {
  driver = static
  args = uid=${mailUser} gid=${mailUser} home=${mailboxes}/%d allow_all_users=yes
}
protocol lmtp {
  postmaster_address = postmaster@${senderDomain}
}
service lmtp {
  process_limit = 20
  inet_listener lmtp {
    address = 127.0.0.1
    port = ${lmtpPort}
  }
}
`
  startEngine(['dovecot', '-F', '-c', fileWith(folder, 'dovecot.conf', config)], { log: join(folder, 'dovecot.out') })
  await waitUntil('dovecot', () => isListening(lmtpPort))
}

interface Postfix {
  queued(): number
  stop(): Promise<void>
  start(): Promise<void>
}

/** Services that take part, without chroot. */
const services = `smtp      inet  n       -       n       -       100     smtpd
pickup    unix  n       -       n       60      1       pickup
cleanup   unix  n       -       n       -       0       cleanup
qmgr      unix  n       -       n       5       1       qmgr
rewrite   unix  -       -       n       -       -       trivial-rewrite
bounce    unix  -       -       n       -       0       bounce
defer     unix  -       -       n       -       0       bounce
trace     unix  -       -       n       -       0       bounce
proxymap  unix  -       -       n       -       -       proxymap
smtp      unix  -       -       n       -       40      smtp
error     unix  -       -       n       -       -       error
retry     unix  -       -       n       -       -       error
lmtp      unix  -       -       n       -       20      lmtp
anvil     unix  -       -       n       -       1       anvil
scache    unix  -       -       n       -       1       scache
postlog   unix-dgram n  -       n       -       1       postlogd
`

async function startPostfix(
  folder: string,
  name: string,
  address: string,
  settings: Readonly<Record<string, string>>,
): Promise<Postfix> {
  const [config, queue, data] = ['config', 'queue', 'data'].map((part) => join(folder, name, part)) as [
    string,
    string,
    string,
  ]
  for (const path of [config, queue, data]) mkdirSync(path, { recursive: true })
  execFileSync('chown', ['postfix', data])
  const all = {
    compatibility_level: '3.6',
    queue_directory: queue,
    data_directory: data,
    command_directory: '/usr/sbin',
    daemon_directory: '/usr/lib/postfix/sbin',
    mail_owner: 'postfix',
    setgid_group: 'postdrop',
    maillog_file_prefixes: folder,
    maillog_file: join(folder, `${name}.log`),
    myhostname: `${name}.${senderDomain}`,
    mydestination: '',
    mynetworks: '127.0.0.0/8',
    inet_interfaces: address,
    inet_protocols: 'ipv4',
    alias_maps: '',
    local_recipient_maps: '',
    virtual_mailbox_maps: 'static:all',
    virtual_transport: `lmtp:inet:127.0.0.1:${lmtpPort}`,
    smtpd_relay_restrictions: 'permit_mynetworks, reject',
    smtpd_client_connection_count_limit: '0',
    ...settings,
  }
  const lines = Object.entries(all).map(([setting, value]) => `${setting} = ${value}\n`)
  writeFileSync(join(config, 'main.cf'), lines.join(''))
  writeFileSync(join(config, 'master.cf'), services)
  let child: ChildProcess
  const start = async () => {
    child = startEngine(['postfix', '-c', config, 'start-fg'], { log: join(folder, `${name}.out`) })
    await waitUntil(`the ${name}`, () => {
      if (child.exitCode !== null) throw new Error(`the ${name}: ${readFileSync(join(folder, `${name}.out`), 'utf8')}`)
      return isListening(25, address)
    })
  }
  await start()
  return {
    start,
    stop: async () => {
      execFileSync('postfix', ['-c', config, 'stop'], { stdio: 'pipe' })
      await stopEngine(child)
    },
    queued: () =>
      Number(
        execFileSync('sh', ['-c', `find ${queue}/incoming ${queue}/active ${queue}/deferred -type f | wc -l`], {
          encoding: 'utf8',
        }),
      ),
  }
}
