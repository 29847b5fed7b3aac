import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { chatRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { type LoadUser, waitUntil } from '@parley/testing'
import { emptyTranscript, sendAndListen } from '../../tests/faults/src/listener.ts'
import { type Cluster, release } from './cluster.ts'

/** Chart values required for the rehearsal. */
export const backupValues = ['--set', 'backup.enabled=true', '--set', 'backup.claim.size=1Gi']

const limit = '15m'
const limitMs = 180_000
/** Chats per user that are compared completely. */
const chatsRead = 5
const engines = ['kafka', 'mongo', 'postgres', 'redis']

/**
 * Backs up a system by its CronJob, removes it with all its data, installs an empty one, and restores the backup as described in helm/README.md. The
 * system must not be in use meanwhile.
 * @returns one line per difference
 */
export async function rehearseBackup(cluster: Cluster, users: readonly LoadUser[]): Promise<readonly string[]> {
  const before = await Promise.all(users.map(readAll))
  const backup = await backUp(cluster)
  const late = await ask(users[0] as LoadUser, 'after the backup')
  await empty(cluster)
  await cluster.install()
  const faults: string[] = []
  if ((await signInOf(users[0] as LoadUser)) === 'signed in') faults.push('the empty system has a user')
  await restore(cluster, backup)
  for (const [nth, user] of users.entries()) {
    // The gateway may take slightly longer to find auth.
    await waitUntil(async () => (await signInOf(user)) === 'signed in' || undefined, 'a user to sign in', limitMs, 500)
    const after = await readAll(user)
    if (JSON.stringify(after) !== JSON.stringify(before[nth])) faults.push(`what ${user.username} has differs`)
  }
  const [first] = users as [LoadUser]
  const gone = await first.api.call(chatRoutes.get, { params: { id: late.chatId }, query: { limit: 1 } })
  if (gone.status !== 404) faults.push('a chat created after the backup exists')
  const next = await ask(first, 'after the restore')
  if (next.ending !== 'done') faults.push(`a message after the restore ended as ${next.ending}: ${next.failure}`)
  return faults
}

async function ask(user: LoadUser, said: string) {
  return await sendAndListen(user.api, emptyTranscript(`${said} (${newId()})`, newId()))
}

const signInOf = (user: LoadUser): Promise<string> =>
  user.signIn().then(
    () => 'signed in',
    (error: unknown) => String(error),
  )

/** Credits, once all holds are settled, the list of chats, and the newest chats with their messages. */
async function readAll({ api }: LoadUser): Promise<unknown> {
  const settled = async () => {
    const { body } = await api.get('/api/user/credits')
    return (body as { readonly held?: unknown }).held === 0 ? body : undefined
  }
  const credits = await waitUntil(settled, 'every hold to be settled', limitMs, 500)
  const list = await api.call(chatRoutes.history, { query: { limit: 200 } })
  assert(list.status === 200, list.text)
  const chats = list.body
  const whole = []
  for (const { _id: id } of chats.slice(0, chatsRead)) {
    whole.push((await api.call(chatRoutes.get, { params: { id }, query: { limit: 50 } })).body)
  }
  return { credits, chats, whole }
}

/** @returns the backup's name */
async function backUp({ kubectl }: Cluster): Promise<string> {
  const job = `${release}-backup-rehearsal`
  await kubectl(['create', 'job', `--from=cronjob/${release}-backup`, job])
  await done(kubectl, job)
  const log = await kubectl(['logs', `job/${job}`, '--all-containers'])
  const name = /^Made (\S+)$/m.exec(log)?.[1]
  assert(name !== undefined, `no backup was made: ${log}`)
  return name
}

/** Removes everything but the Secrets and the backups, which outlive a release. */
async function empty({ kubectl, helm }: Cluster): Promise<void> {
  await helm('uninstall', release, '--wait', '--timeout', limit)
  const claims = ['kafka', 'mongo', 'postgres'].map((engine) => `data-${release}-${engine}-0`)
  await kubectl(['delete', 'persistentvolumeclaim', ...claims, '--wait'])
}

/** The steps of helm/README.md. */
async function restore(cluster: Cluster, backup: string): Promise<void> {
  const { kubectl } = cluster
  const deployments = ['deployments', '--selector', 'app.kubernetes.io/part-of=parley']
  await kubectl(['scale', ...deployments, '--replicas=0'])
  const others = `app.kubernetes.io/part-of=parley,app.kubernetes.io/component notin (${[...engines, 'backup', 'test'].join(', ')})`
  await kubectl(['wait', 'pods', '--selector', others, '--for=delete', `--timeout=${limit}`])
  const job = await cluster.render('templates/restore.yaml', '--set', `backup.restore=${backup}`)
  await kubectl(['apply', '--filename', '-'], job)
  await done(kubectl, `${release}-restore`)
  await kubectl(['scale', ...deployments, '--replicas=1'])
  await cluster.install()
}

/** Waits for a job. @throws Error with its log when it failed */
async function done(kubectl: Cluster['kubectl'], job: string): Promise<void> {
  const statusOf = async () =>
    JSON.parse(await kubectl(['get', 'job', job, '--output', 'jsonpath={.status}'])) as {
      readonly conditions?: readonly { readonly type: string; readonly status: string }[]
    }
  for (;;) {
    const { conditions = [] } = await statusOf()
    const is = (type: string): boolean => conditions.some((one) => one.type === type && one.status === 'True')
    if (is('Complete')) return
    // Before that its containers may have no log yet.
    if (is('Failed')) throw new Error(`job ${job} failed: ${await kubectl(['logs', `job/${job}`, '--all-containers'])}`)
    await pause(1_000)
  }
}
