import { usePlace } from '../../components/router.ts'
import { Appeals } from './appeals.tsx'
import { Decisions } from './decisions.tsx'
import { ReviewPages } from './pages.tsx'
import { Reports } from './reports.tsx'
import { WaitingList } from './waiting.tsx'

/** What moderators have before them; the address says which list. */
export function Room() {
  const list = usePlace().query.get('list')
  return (
    <>
      <ReviewPages />
      {list === 'reports' ? (
        <Reports />
      ) : list === 'appeals' ? (
        <Appeals />
      ) : list === 'decisions' ? (
        <Decisions />
      ) : (
        <WaitingList />
      )}
    </>
  )
}
