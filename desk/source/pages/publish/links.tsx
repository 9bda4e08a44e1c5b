import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { LinkMade, Links } from '../../../../server/features/pieces/desk-schema.ts'
import { callApi } from '../../api/client.ts'
import { invalidate } from '../../api/queries.ts'
import { Button, CopyButton } from '../../components/button.tsx'
import { ErrorNotice, useAttempt } from '../../components/form.tsx'
import { Time } from '../../components/time.tsx'
import { rich, t } from '../../messages.ts'
import styles from './publishing.module.css'

/** In days. */
const lifetimes = [1, 7, 30] as const

const keyOf = (id: string) => ['links', id] as const

/** Links that still work. */
export const usePrivateLinks = (id: string) =>
  useQuery({
    queryKey: keyOf(id),
    queryFn: async () => (await callApi<Links>('GET', `/pieces/${id}/links`)).links,
  })

/** The fragment of the section. */
export const linksAnchor = 'private-links'

/** Private links show an unpublished piece to people the writer trusts, for a limited time. */
export function PrivateLinks({ id }: { readonly id: string }) {
  const field = useId()
  const { data } = usePrivateLinks(id)
  const [days, setDays] = useState<(typeof lifetimes)[number]>(7)
  const [made, setMade] = useState<LinkMade['link']>()
  const attempt = useAttempt()
  /** The list is read again, whether or not it worked. */
  const handler = (act: () => Promise<void>) => attempt.handler(() => act().finally(() => invalidate(...keyOf(id))))
  const make = handler(async () => setMade((await callApi<LinkMade>('POST', `/pieces/${id}/links`, { days })).link))
  const revoke = (link: string) =>
    handler(async () => {
      await callApi('DELETE', `/pieces/${id}/links/${link}`)
      if (made?.id === link) setMade(undefined)
    })

  return (
    <section className={styles.links} id={linksAnchor} tabIndex={-1} aria-labelledby={`${field}-title`}>
      <h2 id={`${field}-title`}>{t('desk.publish.link.title')}</h2>
      <p>{t('desk.publish.link.lead')}</p>
      <ErrorNotice error={attempt.error} />
      {made && (
        <div className={styles.made} role="status">
          <p>{t('desk.publish.link.created')}</p>
          <code>{made.url}</code>
          <CopyButton text={made.url} label={t('desk.common.copy_link')} />
        </div>
      )}
      <div className={styles.make}>
        <label htmlFor={field}>{t('desk.publish.link.lifetime')}</label>
        <select id={field} value={days} onChange={(event) => setDays(Number(event.target.value) as typeof days)}>
          {lifetimes.map((count) => (
            <option key={count} value={count}>
              {t('desk.publish.link.lifetime_days', { count })}
            </option>
          ))}
        </select>
        <Button onClick={make}>{t('desk.publish.link.create')}</Button>
      </div>
      {data && data.length > 0 && (
        <ul>
          {data.map((link) => (
            <li key={link.id}>
              <span>{describeLink(link)}</span>
              <Button kind="quiet" onClick={revoke(link.id)}>
                {t('desk.publish.link.revoke')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function describeLink({ created_at, expires_at, last_seen_at }: Links['links'][number]) {
  const times = { created: <Time at={created_at} />, expires: <Time at={expires_at} /> }
  return last_seen_at
    ? rich('desk.publish.link.opened', { ...times, opened: <Time at={last_seen_at} /> })
    : rich('desk.publish.link.unopened', times)
}
