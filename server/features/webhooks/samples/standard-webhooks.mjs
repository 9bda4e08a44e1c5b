// npm install standardwebhooks
import { createServer } from 'node:http'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)

async function receive(request, response) {
  // The bytes as they came, before anything parses them.
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)

  const { _service, ...piece } = webhook.verify(body, request.headers)
  if (_service.event === 'webhook.ping') return response.end(piece.challenge)
  // Keep it under its id: what is sent twice is then kept once.
  const id = request.headers['webhook-id']
  if (_service.event === 'piece.published') console.log(id, piece.title)
  response.writeHead(204).end()
}

createServer((request, response) =>
  receive(request, response).catch((error) => {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end()
  }),
).listen(process.env.PORT ?? 9000, '127.0.0.1')
