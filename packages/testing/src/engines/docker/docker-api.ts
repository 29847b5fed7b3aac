import { request } from 'node:http'
import { readTestConfig } from '../../config.ts'

/** How a call to the Docker engine is bounded. */
interface Bounds {
  /** Of silence. */
  readonly idleMs: number
  readonly signal?: AbortSignal
}

/**
 * Calls the engine that `DOCKER_HOST` names, else the one at its usual socket.
 * @returns status and body; the whole body has come
 * @throws when it does not answer, or falls silent
 */
export function callDocker(
  method: 'GET' | 'POST',
  path: string,
  bounds: Bounds,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { idleMs, signal } = bounds
    const call = request({ ...address(), method, path, timeout: idleMs, ...(signal && { signal }) }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      response.on('error', reject)
    })
    call.on('timeout', () => call.destroy(new Error(`the Docker engine says nothing for ${idleMs / 1000} s`)))
    call.on('error', reject)
    call.end()
  })
}

function address(): { socketPath: string } | { host: string; port: number } {
  const { DOCKER_HOST: given } = readTestConfig()
  if (given === undefined || given.startsWith('unix://')) {
    return { socketPath: given?.slice('unix://'.length) ?? '/var/run/docker.sock' }
  }
  const { hostname, port } = new URL(given)
  return { host: hostname, port: Number(port) || 2375 }
}

/**
 * Whether containers of an image can be started: it is there, or can be pulled in three minutes.
 * @throws Error that says why not
 */
export async function requireImage(image: string): Promise<void> {
  const present = await callDocker('GET', `/images/${image}/json`, { idleMs: 10_000 })
  if (present.status === 200) return
  const signal = AbortSignal.timeout(180_000)
  const pull = `/images/create?fromImage=${encodeURIComponent(image)}`
  const { status, body } = await callDocker('POST', pull, { idleMs: 20_000, signal })
  // A pull that fails half-way says so in its last line only.
  const failure = /"error":"([^"]*)"/.exec(body)?.[1]
  if (status !== 200 || failure !== undefined) throw new Error(`no image ${image}: ${failure ?? body.trim()}`)
}

/** @throws Error that says why no Docker engine can be used */
export async function requireDocker(): Promise<void> {
  const { status } = await callDocker('GET', '/_ping', { idleMs: 2_000 }).catch((cause: Error) => {
    throw new Error(`no Docker engine answers (${cause.message})`, { cause })
  })
  if (status !== 200) throw new Error(`the Docker engine answers with ${status}`)
}
