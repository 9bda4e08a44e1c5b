import { useAccount } from '../../api/account.ts'
import styles from './card.module.css'
import { hostOf, priceInWords, type Said } from './form-values.ts'

/** How it will look, as it is being filled in: the parts of the public page, in its order. */
export function Card({ said }: { readonly said: Said }) {
  const seller = useAccount().data?.name
  const host = hostOf(said)
  const price = priceInWords(said)
  const paragraphs = said.description.split(/\n\s*\n/).filter((one) => one.trim())
  const related = said.related.filter((piece) => piece.is_public)
  return (
    <section className={styles.card} aria-labelledby="as-readers-will-see">
      <h2 id="as-readers-will-see">As readers will see it</h2>
      <div className={styles.sheet}>
        <p className={styles.category}>{['Shop', said.category.trim()].filter(Boolean).join(' · ')}</p>
        <p className={styles.name} dir="auto">
          {said.name.trim() || 'Its name'}
        </p>
        <p className={styles.summary} dir="auto">
          {said.summary.trim() || 'A sentence or two about it would stand here.'}
        </p>
        {seller && (
          <p className={styles.seller}>
            Sold by <bdi>{seller}</bdi>
          </p>
        )}
        {said.image && <img src={`/desk/media/${said.image}`} alt={said.image_alt} />}
        {price && <p className={styles.price}>{price}</p>}
        <p className={styles.buy}>
          <span>{host ? `Buy at ${host}` : 'Where people pay you'}</span>
        </p>
        {paragraphs.map((paragraph, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a paragraph is known by nothing but its place.
          <p key={at} className={styles.paragraph} dir="auto">
            {paragraph}
          </p>
        ))}
        {related.length > 0 && (
          <>
            <h3>Related writing</h3>
            <ul>
              {related.map(({ id, headline }) => (
                <li key={id}>
                  <bdi>{headline}</bdi>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  )
}
