import { exampleAuthor } from '#features/authors/examples.ts'
import { exampleListItem } from '#features/pieces/examples.ts'
import type { SeedAuthor } from './words/author.ts'

/**
 * The first writer of every seeded site and her newest piece: those that the reference and the guides speak of, so
 * that their examples find them. Her given name is none of the generator's, so nobody else has her slug.
 */

const { slug, name, bio, role, niche, location, website, socials } = exampleAuthor

export const ada: SeedAuthor = {
  slug,
  name,
  bio,
  role,
  niche,
  location,
  website,
  socials,
  identityVerified: true,
  websiteVerified: true,
  joinedDaysAgo: 260,
}

export const slowTea = {
  headline: exampleListItem.title,
  sub: exampleListItem.summary,
  category: exampleListItem.category,
  tags: exampleListItem.tags,
  style: 'essay',
  bodyMd: `The kettle is the only clock in my kitchen that tells the truth. The one on the oven runs fast, the one on the wall stopped in March, and the one in my pocket is never about the time. The kettle says: not yet, not yet, now.

Tea wants four minutes after that. I used to give it two, because two is what I thought I had. I would stand there with the bag on its string, lift it early, and carry a cup of warm brown water back to the desk, where it went cold beside me. I never once finished it sooner for having started it sooner.

## What four minutes hold

One winter I stopped leaving the room. I set nothing, read nothing, and stayed with the pot. Four minutes turned out to be long. These are some of the things that fit into them:

- the whole of the neighbour's piano scale, up and down;
- every leaf of the plant on the sill, turned round once, so that it grows straight;
- one letter, thought through from greeting to farewell, so that writing it later takes no thought at all;
- the smell changing, from hay to bread to tea.

None of it is work. Yet the letters got answered that winter, and the plant is straight.

## The argument, such as it is

People who sell us things like to say how much time they save. They seldom say where it goes. The two minutes I saved on tea went nowhere: there was no jar of them at the end of the year. What I had was two hundred bad cups, and a habit of being somewhere else.

I do not think that slow is better than fast. A fire brigade should be fast. So should a search, a bus and a plaster. But some things are made of the time they take, and take it out and there is less of the thing. Bread is like that, and mending, and most conversations. Tea is only the smallest of them, and so the easiest to begin with.

> Not yet, says the kettle. It is the kindest thing that anybody says to me before nine.

So here is the case for slow tea, in full. It costs four minutes. It tastes of something. And while you wait for it there is nothing to do but notice what the day is made of, before you go and spend it.
`,
} as const
