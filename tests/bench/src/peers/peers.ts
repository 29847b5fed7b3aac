import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@parley/kit'
import { end } from '../process-channel.ts'
import type { Target } from '../processes/load-process.ts'
import { entries, versions } from './places.ts'

/** Another running gateway, unmetered, with the stub as its provider. */
export interface Peer {
  readonly name: string
  /** A completion through it. */
  target(isStream: boolean): Target
  /** Whether it supports streamed completions. */
  readonly streams: boolean
  /** Milliseconds of CPU time, user and system, since its start. */
  cpu(): number
  stop(): Promise<void>
}

/** The peers found, and the reasons why others are missing. */
export type Peers = Awaited<ReturnType<typeof startPeers>>

const startLimitMs = 180_000
const messages = [{ role: 'user', content: 'Say a few words.' }]
const gomodel = 'GoModel: the Go module proxy does not give out github.com/enterpilot/gomodel'

/** Starts every installed peer. Dispose of them to stop them. */
export async function startPeers(stubUrl: string) {
  await using starting = new AsyncDisposableStack()
  const running: Peer[] = []
  const missing = [gomodel]
  for (const [key, start] of [['portkey', startPortkey] as const, ['litellm', startLitellm] as const]) {
    if (!existsSync(entries[key])) {
      missing.push(`${key}: not installed (node tests/bench/src/peers/install.ts)`)
      continue
    }
    const peer = await start(stubUrl)
    starting.defer(() => peer.stop())
    running.push(peer)
    if (!peer.streams) missing.push(`the streams of ${peer.name}, which it answers with an error here`)
  }
  const started = starting.move()
  return { running, missing, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

async function startPortkey(stubUrl: string): Promise<Peer> {
  const port = await freePort()
  const headers = {
    authorization: 'Bearer bench',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `${stubUrl}/v1`,
  }
  return await startPeer({
    name: `Portkey ${versions.portkey}`,
    command: [process.execPath, entries.portkey, '--headless', `--port=${port}`],
    // It refuses calls to the loopback unless the host is trusted.
    environment: { TRUSTED_CUSTOM_HOSTS: new URL(stubUrl).hostname },
    base: `http://127.0.0.1:${port}/v1`,
    ...{ headers, model: 'bench' },
  })
}

async function startLitellm(stubUrl: string): Promise<Peer> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-litellm-'))
  const config = join(folder, 'config.yaml')
  const parameters = { model: 'openai/bench', api_base: `${stubUrl}/v1`, api_key: 'bench' }
  // YAML is a superset of JSON.
  await writeFile(config, JSON.stringify({ model_list: [{ model_name: 'bench', litellm_params: parameters }] }))
  const peer = await startPeer({
    name: `LiteLLM ${versions.litellm}`,
    command: [entries.litellm, '--config', config, '--host', '127.0.0.1', '--port', String(port)],
    environment: { LITELLM_LOG: 'ERROR', LITELLM_TELEMETRY: 'False', LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
    base: `http://127.0.0.1:${port}/v1`,
    ...{ headers: { authorization: 'Bearer bench' }, model: 'bench' },
  })
  return { ...peer, stop: () => peer.stop().then(() => rm(folder, { recursive: true })) }
}

interface PeerCommand {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
  readonly model: string
}

async function startPeer({ name, command, environment, base, headers, model }: PeerCommand): Promise<Peer> {
  const [program, ...args] = command
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(program, args, { stdio: 'ignore', env: { PATH, HOME, ...environment } })
  const endChild = (): boolean => child.kill('SIGTERM')
  process.once('exit', endChild)
  const target = (isStream: boolean): Target => ({
    ...{ url: `${base}/chat/completions`, headers },
    body: { model, messages, stream: isStream },
  })
  const stop = async (): Promise<void> => {
    process.off('exit', endChild)
    await end(child)
  }
  try {
    await untilItAnswers(name, child, target(false))
    const streams = (await ask(target(true))).ok
    return { name, target, streams, cpu: () => cpuOf(child.pid ?? 0), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function untilItAnswers(name: string, child: ChildProcess, target: Target): Promise<void> {
  const endAt = performance.now() + startLimitMs
  let last = 'nothing'
  while (performance.now() < endAt && child.exitCode === null) {
    const answer = await ask(target).catch(String)
    if (typeof answer !== 'string' && answer.ok) return
    last = typeof answer === 'string' ? answer : `status ${answer.status}`
    await pause(200)
  }
  throw new Error(`${name} does not answer: ${last}`)
}

/** Sends one request and reads the whole response. */
async function ask({ url, headers, body }: Target): Promise<Response> {
  const answer = await fetch(url, {
    ...{ method: 'POST', body: JSON.stringify(body) },
    headers: { 'content-type': 'application/json', ...headers },
  })
  await answer.arrayBuffer()
  return answer
}

/** Milliseconds per clock tick in /proc. */
const tickMs = 10

/** CPU time of a process and its children, read from /proc. */
function cpuOf(pid: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)))
  const sum = (parent: number): number =>
    stats.reduce((total, one) => {
      const own = one.pid === parent ? one.ticks : 0
      return total + own + (one.parent === parent ? sum(one.pid) : 0)
    }, 0)
  return sum(pid) * tickMs
}

function readStat(pid: number): { pid: number; parent: number; ticks: number }[] {
  try {
    // The process name may contain spaces and parentheses; it ends at the last one.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return [{ pid, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }]
  } catch {
    // The process has exited meanwhile.
    return []
  }
}
