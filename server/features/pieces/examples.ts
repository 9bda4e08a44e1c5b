/** What the API reference shows. A test holds each against its schema. */

export const exampleId = '5f0c8f6e-3f5b-4b59-9d0a-0b7f3c1e2a44'

const base = 'https://standfirst.example'
const byline = { name: 'Ada Okafor', slug: 'ada-okafor', url: `${base}/author/ada-okafor`, identity_verified: true }

export const exampleListItem = {
  id: `${base}/p/${exampleId}`,
  url: `${base}/author/ada-okafor/the-case-for-slow-tea`,
  title: 'The case for slow tea',
  summary: 'Four minutes is not long. It is long enough to notice what the day is made of.',
  date_published: '2026-11-02T08:30:00.000Z',
  category: 'life',
  tags: ['tea', 'attention'],
  authors: [byline],
}

export const examplePiece = {
  ...exampleListItem,
  content_html: '<p>The kettle is the only clock in my kitchen that tells the truth.</p>\n',
  content_text: 'The kettle is the only clock in my kitchen that tells the truth.',
  date_modified: '2026-11-02T08:30:00.000Z',
  kind: 'essay',
  authors: [{ ...byline, avatar: null }],
}

export const exampleHit = {
  ...exampleListItem,
  snippet: '…the only clock in my kitchen that tells the truth…',
  match_site: 'body',
}

export const exampleDraft = {
  headline: 'The case for slow tea',
  sub: 'Four minutes is not long.',
  body_md: 'The kettle is the only clock in my kitchen that tells the truth.\n',
  category: 'life',
  tags: ['tea', 'attention'],
}

export const exampleMine = {
  id: exampleId,
  headline: exampleDraft.headline,
  sub: exampleDraft.sub,
  category: 'life',
  status: 'draft',
  locale: 'en',
  tags: exampleDraft.tags,
  created_at: '2026-11-02T08:00:00.000Z',
  edit_url: `${base}/desk/edit/pieces/${exampleId}`,
}
