import { execFile, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { helmProgram } from '../../tests/helm/src/config.ts'

const chart = join(import.meta.dirname, '../../helm/parley')
/** The release name, which prefixes all resources. */
export const release = 'parley'
const limit = '15m'

/** A release in a namespace of the cluster of KUBECONFIG. */
export interface Cluster {
  /** Runs `kubectl <args>` in the namespace; resolves to its output. @throws Error if it fails */
  kubectl(args: readonly string[], input?: string): Promise<string>
  /** Runs `helm <args>` for the release, with its output shown. @throws Error if it fails */
  helm(...args: string[]): Promise<void>
  /** Renders a template of the chart with the release's values and further arguments. @throws Error if it cannot be rendered */
  render(template: string, ...words: string[]): Promise<string>
  /** Installs the release and waits until every pod is ready; starts from scratch unless the namespace was kept. */
  install(): Promise<void>
  /** Rolls these Deployments at once, by an upgrade that changes an annotation of their pods. Resolves once all are ready. */
  upgrade(names: readonly string[], round: string): Promise<void>
  /** Resolves once a Deployment has all new pods and no old one. */
  settled(name: string): Promise<void>
  /** Names of a Deployment's pods that are not terminating. */
  pods(name: string): Promise<readonly string[]>
  /** Removes the namespace with everything in it. */
  remove(): Promise<void>
}

/** Whether kubectl reaches a cluster, and helm is available. */
export const clusterAnswers = (): boolean =>
  helmProgram() !== undefined && spawnSync('kubectl', ['get', 'namespaces'], { stdio: 'ignore' }).status === 0

/** Opens nothing yet. @param values arguments of `helm install` that set values */
export function openCluster(namespace: string, values: readonly string[]): Cluster {
  const helmFile = helmProgram() ?? 'helm'
  const outputOf = (file: string, args: readonly string[], input?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const options = { maxBuffer: 64 * 1024 * 1024 }
      const child = execFile(file, ['--namespace', namespace, ...args], options, (error, stdout, stderr) => {
        if (error === null) resolve(stdout.trim())
        else reject(new Error(`${file} ${args.join(' ')}: ${stderr}`))
      })
      child.stdin?.end(input)
    })
  const kubectl: Cluster['kubectl'] = (args, input) => outputOf('kubectl', args, input)
  const helm = (...args: string[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn(helmFile, ['--namespace', namespace, ...args], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      child.once('error', reject)
      child.once('exit', (code) => {
        if (code === 0) resolve()
        else reject(new Error(`helm ${args.join(' ')} ended with ${code}`))
      })
    })
  return {
    kubectl,
    helm,
    render(template, ...words) {
      // Rendering offline needs the cluster's version.
      const offline = ['template', release, chart, '--kube-version', '1.34.0', '--show-only', template]
      return outputOf(helmFile, [...offline, ...values, ...words])
    },
    install: () =>
      helm('upgrade', '--install', release, chart, '--create-namespace', '--wait', '--timeout', limit, ...values),
    upgrade(names, round) {
      const annotations = names.flatMap((name) => ['--set-string', `services.${name}.podAnnotations.round=${round}`])
      return helm('upgrade', release, chart, '--reset-then-reuse-values', ...annotations, '--wait', '--timeout', limit)
    },
    async settled(name) {
      await kubectl(['rollout', 'status', `deployment/${release}-${name}`, '--timeout', limit])
    },
    async pods(name) {
      const selector = `app.kubernetes.io/instance=${release},app.kubernetes.io/component=${name}`
      const { items } = JSON.parse(await kubectl(['get', 'pods', '--selector', selector, '--output', 'json'])) as {
        readonly items: readonly { readonly metadata: { readonly name: string; readonly deletionTimestamp?: string } }[]
      }
      return items
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        .map(({ metadata }) => metadata.name)
    },
    async remove() {
      await kubectl(['delete', 'namespace', namespace, '--wait=false'])
    },
  }
}
