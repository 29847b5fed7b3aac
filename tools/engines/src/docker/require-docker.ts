import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { readEngineConfig } from '../config.ts'

const answerTimeoutMs = 2_000

/**
 * Pings the Docker engine of `DOCKER_HOST`, or else of the default socket: testcontainers would wait for one that does not answer, and fall back to
 * an engine other than the configured one.
 * @throws Error with the reason why no Docker engine can be used
 */
export async function requireDocker(): Promise<void> {
  const asked = get({ ...address(), path: '/_ping', signal: AbortSignal.timeout(answerTimeoutMs) })
  const [answer] = await once(asked, 'response').catch((cause: Error) => {
    throw new Error(`no Docker engine answers (${cause.message})`, { cause })
  })
  const { statusCode } = (answer as IncomingMessage).resume()
  if (statusCode !== 200) throw new Error(`the Docker engine answers with ${statusCode}`)
}

function address(): { socketPath: string } | { host: string; port: number } {
  const { DOCKER_HOST: given = 'unix:///var/run/docker.sock' } = readEngineConfig()
  if (given.startsWith('unix://')) return { socketPath: given.slice('unix://'.length) }
  const { hostname, port } = new URL(given)
  return { host: hostname, port: Number(port) || 2375 }
}
