import assert from 'node:assert/strict'
import { parseArgs } from 'node:util'
import { openLoadUsers } from '@parley/testing'
import { chartEntries } from '../tests/helm/src/services.ts'
import { backupValues, rehearseBackup } from './k8s/backup.ts'
import { type Cluster, clusterAnswers, openCluster, release } from './k8s/cluster.ts'
import { startCrowd } from './k8s/crowd.ts'
import { brokenInvariants } from './k8s/invariants.ts'

/**
 * `npm run test:k8s -- [--url …] [--streams 50] [--sockets 20] [--users 10] [--arrival-ms 50] [--piece-ms 12] [--question …] [--namespace parley-test]
 * [--only kill,judge] [--keep] -- <arguments of helm install>`: installs Parley with trial engines on the cluster of KUBECONFIG, chats by `helm test`,
 * and then, under the load of a crowd, upgrades everything at once, restarts each Deployment, evicts a pod of each, rolls back, and kills pods. No answer
 * may lose anything. Finally a backup is restored into an empty system.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The URL of the edge from this machine: its NodePort, or a forward to it. */
    url: { type: 'string', default: 'http://127.0.0.1:30080' },
    streams: { type: 'string', default: '50' },
    sockets: { type: 'string', default: '20' },
    users: { type: 'string', default: '10' },
    /** Milliseconds between the arrivals of two streams. */
    'arrival-ms': { type: 'string', default: '50' },
    /** Milliseconds between two pieces of an answer. Many streams fit on a small machine if they are slow. */
    'piece-ms': { type: 'string', default: '12' },
    /** By default one that the demo provider answers at length. */
    question: { type: 'string', default: 'Explain at length, with a table and code' },
    namespace: { type: 'string', default: 'parley-test' },
    /** Some of the acts, comma-separated: upgrade, restart, evict, rollback (of the upgrade), kill, judge, restore. */
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})

/** All Deployments except the demo, which stands in for an external provider, and the inbox. */
const upgraded = Object.keys(chartEntries()).filter((name) => name !== 'demo' && name !== 'inbox')

const seconds = (since: number): string => `${Math.round((performance.now() - since) / 1_000)} s`

async function run(cluster: Cluster): Promise<void> {
  const started = performance.now()
  await cluster.install()
  console.log(`✓ installed in ${seconds(started)}`)
  await cluster.helm('test', release, '--timeout', '5m')
  console.log(`✓ helm test passed, ${seconds(started)} after the beginning`)
  console.log(`  idle: ${await privateMegabytes(cluster)} MB in one pod of each Deployment, without what they share`)

  const secret = JSON.parse(await cluster.kubectl(['get', 'secret', `${release}-auth`, '--output', 'json'])) as {
    readonly data: Readonly<Record<string, string>>
  }
  const password = Buffer.from(secret.data.ADMIN_PASSWORD ?? '', 'base64').toString()
  const people = await openLoadUsers(values.url, password, Number(values.users))
  const { users } = people
  const { url, question } = values
  const [streams, sockets, arrivalMs] = [values.streams, values.sockets, values['arrival-ms']]
  const size = { streams: Number(streams), sockets: Number(sockets), arrivalMs: Number(arrivalMs) }
  const options = { url, question, users, ...size }
  const broken: string[] = []
  /** Prints a result, and what is wrong with it. @param details end with a separator */
  const report = (what: string, details: string, faults: readonly string[]): void => {
    console.log(`${faults.length === 0 ? '✓' : '✗'} ${what}: ${details}${faults.length} faults`)
    for (const fault of faults.slice(0, 5)) console.log(`  ${fault}`)
    broken.push(...faults.map((fault) => `${what}: ${fault}`))
  }
  /** Runs an act on the system while the crowd chats. */
  const under = async (what: string, act: () => Promise<void>, mayBreak = false): Promise<void> => {
    await Promise.all(users.map((user) => user.signIn()))
    const crowd = startCrowd(options, mayBreak)
    await crowd.underWay()
    const began = performance.now()
    await act()
    const took = seconds(began)
    const { answers, requests, faults, reconnections, longestGapMs } = await crowd.leave()
    const load = `${answers} answers on ${options.streams} streams, ${requests} requests, ${reconnections} reconnections`
    report(what, `${took}; ${load}, longest gap ${longestGapMs} ms, `, faults)
  }

  const acts = {
    upgrade: () => under('everything upgraded at once', () => cluster.upgrade(upgraded, '1')),
    restart: () =>
      under('one Deployment after the other restarted', async () => {
        for (const name of upgraded) {
          await cluster.kubectl(['rollout', 'restart', `deployment/${release}-${name}`])
          await cluster.settled(name)
        }
      }),
    evict: () =>
      under('a pod of each Deployment evicted', async () => {
        for (const name of upgraded) await evict(cluster, name)
        for (const name of upgraded) await cluster.settled(name)
      }),
    rollback: () => under('rolled back', () => cluster.helm('rollback', release, '--wait', '--timeout', '15m')),
    kill: () =>
      under(
        'a pod of each service killed, one after the other',
        async () => {
          for (const name of upgraded) {
            const [pod = ''] = await cluster.pods(name)
            await cluster.kubectl(['delete', 'pod', pod, '--grace-period=0', '--force'])
            await cluster.settled(name)
          }
        },
        true,
      ),
    judge: async () => report('invariants of money, events and ownership', '', await brokenInvariants(cluster, people)),
    restore: async () => {
      const rehearsed = performance.now()
      await Promise.all(users.map((user) => user.signIn()))
      const differing = await rehearseBackup(cluster, users)
      report('backup put back into an empty system', `${seconds(rehearsed)}, `, differing)
    },
  }
  const wanted = values.only?.split(',') ?? Object.keys(acts)
  for (const name of wanted)
    assert.ok(Object.hasOwn(acts, name), `--only: there is no ${name}, but ${Object.keys(acts).join(', ')}`)
  for (const [name, act] of Object.entries(acts)) if (wanted.includes(name)) await act()
  assert.deepEqual(broken, [])
}

/** Evicts a pod, as draining a node does. @throws Error if the disruption budget forbids it */
async function evict(cluster: Cluster, deployment: string): Promise<void> {
  const [name = ''] = await cluster.pods(deployment)
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } }
  await cluster.kubectl(
    ['create', '--raw', `/api/v1/namespaces/${values.namespace}/pods/${name}/eviction`, '-f', '-'],
    JSON.stringify(eviction),
  )
}

/** Private memory of the processes, without shared pages of programs. */
async function privateMegabytes(cluster: Cluster): Promise<number> {
  let kilobytes = 0
  for (const name of upgraded) {
    const [pod = ''] = await cluster.pods(name)
    const status = await cluster.kubectl(['exec', pod, '--', 'cat', '/proc/1/status'])
    kilobytes += Number(/RssAnon:\s+(\d+)/.exec(status)?.[1])
  }
  return Math.round(kilobytes / 1_024)
}

if (clusterAnswers()) {
  const defaults = [
    '--set',
    'devEngines.enabled=true',
    '--set',
    'defaults.replicas=2',
    '--set',
    `publicUrl=${values.url}`,
    '--set-string',
    `services.demo.env.DEMO_PIECE_MS=${values['piece-ms']}`,
  ]
  const port = [
    '--set',
    'services.edge.service.type=NodePort',
    '--set',
    `services.edge.service.nodePort=${new URL(values.url).port}`,
  ]
  const cluster = openCluster(values.namespace, [...defaults, ...port, ...backupValues, ...positionals])
  try {
    await run(cluster)
  } finally {
    if (!values.keep) await cluster.remove()
  }
} else {
  console.log('test:k8s: not run, since kubectl reaches no cluster, or there is no helm')
}
