/** What the API reference shows. A test holds each against its schema. */

export const exampleProductId = '8c1d5a0e-7c0b-4c59-8f35-2f6f6c1f9d10'

const base = 'https://standfirst.example'

export const exampleProductHit = {
  id: exampleProductId,
  slug: 'the-tea-notebook',
  name: 'The tea notebook',
  summary: 'Ninety-six ruled pages for what four minutes make you notice.',
  price: { amount: '19.00', currency: 'EUR' },
  category: 'Stationery',
  seller: { name: 'Ada Okafor', slug: 'ada-okafor', url: `${base}/author/ada-okafor`, identity_verified: true },
  image_url: null,
  url: `${base}/shop/the-tea-notebook`,
  payment_url: 'https://pay.example/ada/tea-notebook',
}

export const exampleProduct = {
  ...exampleProductHit,
  description: 'Bound in Lisbon, on paper that takes ink without complaint.',
  related_pieces: [
    {
      id: `${base}/p/5f0c8f6e-3f5b-4b59-9d0a-0b7f3c1e2a44`,
      url: `${base}/author/ada-okafor/the-case-for-slow-tea`,
      title: 'The case for slow tea',
    },
  ],
  updated_at: '2026-11-02T08:30:00.000Z',
}
