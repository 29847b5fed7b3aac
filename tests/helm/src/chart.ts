import { execFile, spawnSync } from 'node:child_process'
import { devNull } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import type { Cluster } from './cluster.ts'
import { helmProgram } from './config.ts'

/** Folder of the chart. */
export const chartFolder = join(import.meta.dirname, '../../../helm/parley')
/** Undefined without helm: tests that render the chart are skipped then. */
export const helm = helmProgram()

/** A rendered Kubernetes resource. */
export interface Resource {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly labels: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec?: Readonly<Record<string, unknown>>
  readonly data?: Readonly<Record<string, string>>
}

/** The parts of a pod that tests check. */
export interface Pod {
  readonly automountServiceAccountToken: boolean
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: {
    readonly runAsNonRoot: boolean
    readonly runAsUser: number
    readonly seccompProfile: unknown
  }
  readonly initContainers?: readonly Container[]
  readonly containers: readonly [Container]
  readonly volumes: readonly { readonly projected?: { readonly sources: readonly SecretSource[] } }[]
}
interface Container {
  readonly image: string
  readonly terminationMessagePolicy?: string
  readonly env: readonly { readonly name: string; readonly value?: string }[]
  readonly securityContext: Readonly<Record<string, unknown>>
}
interface SecretSource {
  readonly secret: { readonly name: string; readonly items: readonly { readonly key: string; readonly path: string }[] }
}

interface Template {
  readonly spec: unknown
}

/** The pod of a Deployment, StatefulSet, Job, CronJob or Pod; undefined for other kinds. */
export function podOf({ kind, spec }: Resource): Pod | undefined {
  const job = kind === 'CronJob' ? (spec?.jobTemplate as Pick<Resource, 'spec'> | undefined)?.spec : spec
  const template = kind === 'Pod' ? { spec } : (job?.template as Template | undefined)
  return template?.spec as Pod | undefined
}

/** Options for rendering the chart. */
export interface Rendering {
  /** Values files in the chart's folder, or elsewhere by an absolute path. */
  readonly files?: readonly string[]
  /** `path=value`, as for `helm --set-json`. */
  readonly set?: readonly string[]
  /** Renders an upgrade of an existing release. */
  readonly isUpgrade?: boolean
}

const maxBuffer = 64 * 1024 * 1024

/** Runs helm with these arguments and resolves to its result. */
export function runHelm(...args: string[]): {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
} {
  return spawnSync(helm ?? 'helm', args, { encoding: 'utf8', maxBuffer })
}

const templateArguments = ({ files = [], set = [], isUpgrade = false }: Rendering): readonly string[] => [
  ...['template', 'parley', chartFolder, '--namespace', 'chat', '--kube-version', '1.34.0'],
  ...(isUpgrade ? ['--is-upgrade'] : []),
  ...files.flatMap((file) => ['--values', resolve(chartFolder, file)]),
  ...set.flatMap((one) => ['--set-json', one]),
]

const resourcesOf = (text: string): readonly Resource[] =>
  parseAllDocuments(text).flatMap((document) => (document.toJS() as Resource | null) ?? [])

/** Renders the chart and returns helm's result. */
export const renderText = (rendering: Rendering) => runHelm(...templateArguments(rendering))

/** Renders the chart without a cluster. @throws Error with helm's message when it refuses */
export function render(rendering: Rendering): readonly Resource[] {
  const { status, stdout, stderr } = renderText(rendering)
  if (status !== 0) throw new Error(stderr)
  return resourcesOf(stdout)
}

/** Renders the chart on a cluster, whose objects it looks up. @throws Error with helm's message when it refuses */
export async function renderOn({ url }: Cluster, rendering: Rendering): Promise<readonly Resource[]> {
  const cluster = ['--dry-run=server', '--kube-apiserver', url, '--kubeconfig', devNull]
  const { stdout } = await promisify(execFile)(helm ?? 'helm', [...templateArguments(rendering), ...cluster], {
    maxBuffer,
  })
  return resourcesOf(stdout)
}
