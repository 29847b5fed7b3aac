import { Agent, createServer, request } from 'node:http'
import { listen } from '../listen.ts'
import { answerQuestions } from '../process-channel.ts'

// The minimum cost of a hop: `node:http` on both sides, keep-alive, bytes piped as they arrive.
let target = new URL('http://127.0.0.1')
const agent = new Agent({ keepAlive: true })

const server = createServer({ noDelay: true }, (inbound, outbound) => {
  const { method, headers, url: path } = inbound
  const upstream = request({ agent, host: target.hostname, port: target.port, method, headers, path }, (answer) => {
    outbound.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outbound)
  })
  upstream.on('error', () => outbound.destroy())
  outbound.on('close', () => upstream.destroy())
  inbound.pipe(upstream)
})

answerQuestions({
  listen: async (url: string) => {
    target = new URL(url)
    return listen(server)
  },
})
