import { address, optional, type Setting, text, wrong } from '../setting.ts'
import { type AccessSource, instanceEndpoint, taskEndpoint } from './access.ts'
import type { MediaAddress } from './address.ts'

/** The names are AWS's, which sets most of them itself. Only a bucket without a key in `MEDIA_URL` asks for them. */

/** The agents of ECS and of EKS Pod Identity, and this machine: what a token may be sent to by http. */
const agents = /^(127(\.\d+){3}|localhost|\[::1\]|169\.254\.170\.(2|23)|\[fd00:ec2::23\])$/

const agentAddress = (about: string): Setting<string | undefined> =>
  optional({
    about,
    fallback: '',
    parse: (given) => {
      const url = URL.canParse(given) ? new URL(given) : wrong('an address such as http://169.254.170.23/…')
      const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && agents.test(url.hostname))
      return isAllowed ? given : wrong('an https address, or the http address of an agent on this machine')
    },
  })

export const roleSettings = {
  AWS_ROLE_ARN: text('', 'The role to take on for `MEDIA_URL` without a key. EKS sets it (IRSA), with the next one.'),
  AWS_WEB_IDENTITY_TOKEN_FILE: text(
    '',
    'The token that STS takes for it, read anew each time. Before any other way, if both are set.',
  ),
  AWS_ENDPOINT_URL_STS: optional(
    address(
      '',
      'Another STS than `https://sts.REGION.amazonaws.com`, with the region of `MEDIA_URL`; also of a store of your own, such as MinIO.',
      'https:',
      'http:',
    ),
  ),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: agentAddress(
    'Where an agent gives out the keys of a role. EKS Pod Identity sets it, with `AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE`.',
  ),
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: {
    about: 'The same at ECS, which sets it: a path at `http://169.254.170.2`.',
    fallback: '',
    parse: (given: string): string | undefined =>
      given === '' ? undefined : /^\/[\w./~-]*$/.test(given) ? given : wrong('a path such as /v2/credentials/…'),
  },
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: text('', 'What is shown to that agent, read anew each time.'),
  AWS_EC2_METADATA_SERVICE_ENDPOINT: address(
    instanceEndpoint,
    'Where an EC2 machine gives out the keys of its own role (IMDSv2), which are taken if none of the above is set.',
    'http:',
    'https:',
  ),
}

type RoleConfig = { readonly [Key in keyof typeof roleSettings]?: ReturnType<(typeof roleSettings)[Key]['parse']> }

/** A bucket without a key is asked by the role that this process has. */
export function withRole<Given extends MediaAddress | undefined>(media: Given, config: RoleConfig): Given {
  return media?.kind === 's3' && media.access.kind !== 'keys'
    ? { ...media, access: roleOf(config, media.region) }
    : media
}

function roleOf(config: RoleConfig, region: string): AccessSource {
  const { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile } = config
  if (role && tokenFile) return { kind: 'web identity', role, tokenFile, endpoint: stsOf(config, region) }
  const relative = config.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI
  const url = relative ? `${taskEndpoint}${relative}` : config.AWS_CONTAINER_CREDENTIALS_FULL_URI
  if (url) return { kind: 'container', url, tokenFile: config.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE || undefined }
  return { kind: 'instance', endpoint: config.AWS_EC2_METADATA_SERVICE_ENDPOINT ?? instanceEndpoint }
}

const stsOf = ({ AWS_ENDPOINT_URL_STS }: RoleConfig, region: string): string =>
  AWS_ENDPOINT_URL_STS ?? `https://sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
