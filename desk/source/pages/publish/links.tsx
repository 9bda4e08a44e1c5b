import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { LinkMade, Links } from '../../../../server/features/pieces/desk-schema.ts'
import { callApi } from '../../api/client.ts'
import { invalidate } from '../../api/queries.ts'
import { Button, CopyButton } from '../../components/button.tsx'
import { ErrorNotice, useAttempt } from '../../components/form.tsx'
import { Time } from '../../components/time.tsx'
import styles from './publishing.module.css'

const lifetimes = { 1: 'one day', 7: 'a week', 30: 'a month' } as const

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
  const [days, setDays] = useState<keyof typeof lifetimes>(7)
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
      <h2 id={`${field}-title`}>Show it to somebody first</h2>
      <p>Whoever has a private link can read the piece as it is then, without signing in, until the link ends.</p>
      <ErrorNotice error={attempt.error} />
      {made && (
        <div className={styles.made} role="status">
          <p>Here is the link. It is shown this once.</p>
          <code>{made.url}</code>
          <CopyButton text={made.url} label="Copy the link" />
        </div>
      )}
      <div className={styles.make}>
        <label htmlFor={field}>It works for</label>
        <select
          id={field}
          value={days}
          onChange={(event) => setDays(Number(event.target.value) as keyof typeof lifetimes)}
        >
          {Object.entries(lifetimes).map(([count, words]) => (
            <option key={count} value={count}>
              {words}
            </option>
          ))}
        </select>
        <Button onClick={make}>Make a link</Button>
      </div>
      {data && data.length > 0 && (
        <ul>
          {data.map(({ id: link, created_at, expires_at, last_seen_at }) => (
            <li key={link}>
              <span>
                Made <Time at={created_at} />, ends <Time at={expires_at} />
                {last_seen_at ? (
                  <>
                    , last opened <Time at={last_seen_at} />
                  </>
                ) : (
                  ', not opened yet'
                )}
              </span>
              <Button kind="quiet" onClick={revoke(link)}>
                End it
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
