import { createServer } from 'node:http'

/** A service that answers with its pid; with `UNREADY` set it is never ready, with `FAIL` set it exits at once. */
const { PORT, UNREADY, FAIL } = process.env
if (FAIL !== undefined) {
  process.stderr.write('nothing works\n')
  process.exit(3)
}
createServer((request, response) => {
  if (request.url === '/readyz' && UNREADY !== undefined) response.statusCode = 503
  response.end(String(process.pid))
}).listen(Number(PORT), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
process.stdout.write(`listening at ${PORT}\n`)
