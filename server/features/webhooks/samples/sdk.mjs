// Needs the package @standfirst/sdk: the site says at /developers/sdk how to install it.
import { createServer } from 'node:http'
import { verifyWebhook, WebhookError } from '@standfirst/sdk'

const secret = process.env.WEBHOOK_SECRET

async function receive(request, response) {
  // The bytes as they came, before anything parses them.
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)

  const event = await verifyWebhook({ body, headers: request.headers, secret })
  if (event.event === 'webhook.ping') return response.end(event.challenge)
  // Keep it under its id: what is sent twice is then kept once.
  if (event.event === 'piece.published') console.log(event.id, event.piece.title)
  response.writeHead(204).end()
}

createServer((request, response) =>
  receive(request, response).catch((error) => {
    response.writeHead(error instanceof WebhookError ? 400 : 500).end()
  }),
).listen(process.env.PORT ?? 9000, '127.0.0.1')
