// `helm test`: opens the page and chats as a guest until the answer is complete. If guests are not allowed, it says so and succeeds.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'

const { host } = new URL(process.env.PUBLIC_URL)

/** Resolves to the status and the whole body; requests use the public host. */
const call = (origin, path, body) =>
  new Promise((resolve, reject) => {
    const sent = request(new URL(path, origin), {
      method: body ? 'POST' : 'GET',
      headers: { host, ...(body && { 'content-type': 'application/json' }) },
      timeout: 60_000,
    })
    sent.on('timeout', () => sent.destroy(new Error(`${path}: no answer within a minute`)))
    sent.on('error', reject)
    sent.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode, text }))
    })
    sent.end(body && JSON.stringify(body))
  })

const page = await call(process.env.PAGE, '/')
assert.equal(page.status, 200, page.text)
assert.match(page.text, /<div id="root"/)
console.log('The page is served')

const models = await call(process.env.API, '/api/chat/models/hierarchy')
assert.equal(models.status, 200, models.text)
console.log('The models are listed')

const answer = await call(process.env.API, '/api/chat', {
  message: 'Hello from helm test',
  model: 'v3',
  clientMessageId: randomUUID(),
})
if ([401, 403, 429].includes(answer.status) && /guest/.test(answer.text)) {
  console.log(`Guests are not allowed by the settings: ${answer.text}`)
} else {
  assert.equal(answer.status, 200, answer.text)
  const events = answer.text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
  assert(
    events.some(({ text }) => text),
    `the answer has no text: ${answer.text}`,
  )
  assert(
    events.some(({ done }) => done),
    `the answer is incomplete: ${answer.text.slice(-500)}`,
  )
  console.log('The answer is complete')
}
