import { categories } from '#features/pieces/schema.ts'
import type { Prompt } from '#platform/mcp/prompts.ts'
import { authorSlugs, categoryNames } from './completion.ts'
import type { ReadCall } from './read-tool.ts'

const asked = (text: string) => [{ role: 'user', content: { type: 'text', text } }]

export const prompts: readonly Prompt<ReadCall>[] = [
  {
    definition: {
      name: 'author_brief',
      title: 'Brief on a writer',
      description: 'Who a writer is and what they write about, on half a page, with sources.',
      arguments: [{ name: 'slug', description: 'Author slug, as search_authors returns it.', required: true }],
    },
    completes: { slug: authorSlugs },
    messages: ({ slug = '' }) =>
      asked(
        `Write a brief of half a page on the writer with the slug ${JSON.stringify(slug)}. Call get_author with it; if there is no such writer, call search_authors and ask me whom I mean. Then call search_pieces with words of their niche, read two or three of their own pieces with get_piece (format "text"), and say what they care about and how they write. Quote sparingly, and give the url of everything you use.`,
      ),
  },
  {
    definition: {
      name: 'reading_list',
      title: 'Reading list',
      description: 'Five pieces on a topic, in the order in which to read them.',
      arguments: [
        { name: 'topic', description: 'A word or two that would occur in the pieces.', required: true },
        { name: 'category', description: `One of ${categories.join(', ')}; all of them if left out.`, required: false },
      ],
    },
    completes: { category: categoryNames },
    messages: ({ topic = '', category = '' }) =>
      asked(
        `Make a reading list on ${JSON.stringify(topic)}. Call search_pieces with it${category ? ` and the category ${JSON.stringify(category)}` : ''}; if little is found, try shorter or other words for the same thing. Choose five pieces by different writers where you can, put them in the order in which to read them, and give title, writer, url and one sentence on why for each.`,
      ),
  },
]
