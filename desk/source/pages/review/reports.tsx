import { useState } from 'react'
import { Button, LinkButton } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Empty } from '../../components/empty.tsx'
import { Filters } from '../../components/filters.tsx'
import { Refused } from '../../components/form.tsx'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { usePlace } from '../../components/router.ts'
import { categoryWord, isCategory, reported } from './categories.ts'
import { Dismissing } from './dismiss.tsx'
import { HowMany, Said } from './form-values.tsx'
import { More } from './more.tsx'
import { type Category, type Reported, useReports } from './queries.ts'
import { Refusing } from './reject.tsx'
import styles from './review.module.css'

/** What readers reported: illegal content first, then most lately reported first. */
export function Reports() {
  const given = usePlace().query.get('category')
  const category = isCategory(given) ? given : undefined
  const reports = useReports(category)
  const [settling, setSettling] = useState<Reported>()
  const [taking, setTaking] = useState<Reported>()
  const items = reports.data?.pages.flatMap((page) => page.items)
  return (
    <Page
      title="Reports"
      lead="What readers say about public pieces and listings, illegal content first. Taking one down settles its reports too."
    >
      <Categories chosen={category} />
      <Refused error={reports.error} />
      {!items && !reports.error && <Loading />}
      {items?.length === 0 && (
        <Empty title={category ? `No open reports: ${categoryWord(category)}` : 'No open reports'}>
          <p>Under every public piece and listing readers can report it. What they say comes here.</p>
        </Empty>
      )}
      {items && items.length > 0 && (
        <ol className={styles.index} aria-label="Reported">
          {items.map((item) => (
            <Entry
              key={`${item.kind} ${item.id}`}
              item={item}
              onSettle={() => setSettling(item)}
              onTake={() => setTaking(item)}
            />
          ))}
        </ol>
      )}
      <More list={reports} />
      <Dismissing dismissal={settling} onClose={() => setSettling(undefined)} />
      <Dialog
        title={`Take “${taking?.headline}” out of the shop?`}
        isOpen={taking !== undefined}
        onClose={() => setTaking(undefined)}
      >
        {taking && <Refusing listing={taking} onClose={() => setTaking(undefined)} />}
      </Dialog>
    </Page>
  )
}

const here = '/desk/review?list=reports'

const Categories = ({ chosen }: { readonly chosen: Category | undefined }) => (
  <Filters
    label="Which reports"
    choices={[
      { words: 'All', to: here, isChosen: chosen === undefined },
      ...reported.map(([category, words]) => ({
        words,
        to: `${here}&category=${category}`,
        isChosen: chosen === category,
      })),
    ]}
  />
)

interface EntryProps {
  readonly item: Reported
  readonly onSettle: () => void
  readonly onTake: () => void
}

const Entry = ({ item, onSettle, onTake }: EntryProps) => (
  <li className={styles.entry}>
    <p className={styles.facts}>
      {item.is_illegal && <strong className={styles.illegal}>Illegal content</strong>}
      <HowMany of={item} />
    </p>
    <h2 dir="auto">
      <a href={item.url}>{item.headline}</a>
    </h2>
    <p className={styles.facts}>
      <span>
        {item.kind === 'listing' && 'Listing in the shop, by '}
        {item.kind === 'piece' && 'By '}
        <bdi>{item.writer.name}</bdi>
      </span>
    </p>
    <Said reports={item.newest} />
    <div className={styles.acts}>
      {item.kind === 'piece' ? (
        <LinkButton to={`/desk/review/${item.id}`}>Read it and decide</LinkButton>
      ) : (
        <Button aria-label={`Take down “${item.headline}”`} onClick={onTake}>
          Take down
        </Button>
      )}
      <Button kind="quiet" aria-label={`Dismiss the reports of “${item.headline}”`} onClick={onSettle}>
        Dismiss
      </Button>
    </div>
  </li>
)
