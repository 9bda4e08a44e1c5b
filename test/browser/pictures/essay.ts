/** A piece written for the pictures: seeded prose is believable at a glance, not when it is read. */
export const essay = {
  headline: 'What the tide table leaves out',
  sub: 'For forty years a harbour clerk wrote one line a day about the water. The lines nobody asked for turned out to be the useful ones.',
  category: 'society',
  style: 'essay',
  tags: ['tides', 'archives', 'weather'],
  body_md: `The tide table is a promise made a year ahead. It knows the moon, the shape of the bay and the depth of the
channel, and it is right to within a hand’s breadth on most days of the year.

It does not know the wind.

Between 1961 and 2001 **Marit Solheim** wrote down every morning what the water did instead. One line, in pencil, in
notebooks that the harbour office threw away and she took home.[^1]

## One line a day

> Table 2.14, water 2.40. South-west since Sunday. Boats tied twice.

There are fourteen thousand such lines. Read one after the other they say little. Sorted by the wind, they say how high
the quay has to be:

| Wind | Days | Above the table |
|---|---:|---:|
| north | 3,102 | −4 cm |
| south-west | 5,870 | +17 cm |
| south-west, third day | 641 | +31 cm |

The third day is the one that matters. No formula in the office had it, *because no formula had been asked*.

[^1]: Forty notebooks, now in the town library, where anyone may read them.
`,
} as const

/** What is being written at the desk. */
export const draft = {
  headline: 'The kettle tells the truth',
  sub: 'Four minutes is not a rule. It is what is left when every other rule has been tried.',
  category: 'culture',
  body_md: `Put the kettle on before you sit down to write. Not for the tea: for the *four minutes*.

## What fits into them

- The sentence you were avoiding.
- The name of the person you write it for.
- One honest answer to **why now**.

> I have never finished a page while it boiled, and never begun one without.

When it whistles, you know whether there is anything to say. If there is, let the tea go cold. The [old hands](https://example.org/tea) at the paper
called this being *on the boil*.
`,
} as const

/** What the writer's server was told of, the newest last. */
export const told = [
  'A short history of the queue',
  'The bridge that was built twice',
  'Letters to a lighthouse',
  'Notes from the night ferry',
] as const
